import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Cumulative results after each hand, one list per seat. */
export type SeriesBySeat = readonly (readonly number[])[];

/**
 * Packs series: the numbers of seats and hands, then per seat the differences from hand to hand as zigzag varints, all
 * compressed with zstd. Chips are below 2^31.
 */
export function packSeries(series: SeriesBySeat): Buffer {
  const hands = series[0]?.length ?? 0;
  const bytes: number[] = [];
  putVarint(bytes, series.length);
  putVarint(bytes, hands);
  for (const values of series) {
    let before = 0;
    for (const value of values) {
      const step = value - before;
      putVarint(bytes, step < 0 ? -2 * step - 1 : 2 * step);
      before = value;
    }
  }
  return zstdCompressSync(Buffer.from(bytes));
}

export function unpackSeries(packed: Uint8Array): number[][] {
  const bytes = zstdDecompressSync(packed);
  let at = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('a packed series is cut short');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const seats = next();
  const hands = next();
  return Array.from({ length: seats }, () => {
    let sum = 0;
    return Array.from({ length: hands }, () => {
      const code = next();
      sum += code % 2 === 0 ? code / 2 : -(code + 1) / 2;
      return sum;
    });
  });
}

function putVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
