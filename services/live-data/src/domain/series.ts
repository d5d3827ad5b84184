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

interface Sample {
  readonly atMs: number;
  readonly hands: number;
}

/** Speed of a running match over the last `windowMs`, from samples of the number of played hands. */
export class HandRate {
  readonly #windowMs: number;
  #samples: Sample[] = [];

  /** `startedAtMs` is when the attempt began with no hands. */
  constructor(startedAtMs: number, windowMs = 5000) {
    this.#windowMs = windowMs;
    this.#samples.push({ atMs: startedAtMs, hands: 0 });
  }

  add(atMs: number, hands: number): void {
    this.#samples.push({ atMs, hands });
    while (this.#samples.length > 2 && (this.#samples[1] as Sample).atMs <= atMs - this.#windowMs)
      this.#samples.shift();
  }

  /** Hands per second; 0 with less than two samples. */
  get handsPerSecond(): number {
    const first = this.#samples[0] as Sample;
    const last = this.#samples.at(-1) as Sample;
    const ms = last.atMs - first.atMs;
    return ms > 0 ? ((last.hands - first.hands) * 1000) / ms : 0;
  }

  /** Seconds until `total` hands at this speed; 0 when the speed is unknown. */
  secondsLeft(total: number): number {
    const speed = this.handsPerSecond;
    const last = this.#samples.at(-1) as Sample;
    return speed > 0 ? Math.max(0, total - last.hands) / speed : 0;
  }
}
