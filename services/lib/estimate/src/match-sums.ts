import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * A match is divided into at most this many blocks of consecutive hands. Blocks, not hands, are the clusters of matches with reset stacks: 50
 * are enough for an interval, and neighbouring hands depend on each other if bots react to the previous hand.
 */
export const maxBlocks = 50;

/** What is summed in each block for each seat: net chips and net big blinds, as won and adjusted for luck. */
export type Measure = 'raw' | 'rawBigBlinds' | 'adjusted' | 'adjustedBigBlinds';
const measures: readonly Measure[] = ['raw', 'rawBigBlinds', 'adjusted', 'adjustedBigBlinds'];

/** Sums over the blocks of a match. */
export interface BlockSums {
  readonly seats: number;
  /** Hands of each block. */
  readonly hands: Float64Array;
  /** Block b, seat s at b * seats + s. Null for adjusted measures of a match whose luck is not computed. */
  readonly sums: Readonly<Record<Measure, Float64Array | null>>;
}

/**
 * Sums the hands of a match by blocks: hand h (from 1) of `plannedHands` belongs to the same block in every rotation of a deal set. `nets` and
 * `adjusted` are lists of chips for each hand by seat; `bigBlinds` has the big blind of each hand.
 */
export function sumBlocks(
  nets: readonly (readonly number[])[],
  adjusted: readonly (readonly number[])[] | null,
  bigBlinds: readonly number[],
  plannedHands: number,
): BlockSums {
  const seats = nets.length;
  const played = nets[0]?.length ?? 0;
  const blocks = Math.min(maxBlocks, plannedHands);
  const rows = () => new Float64Array(blocks * seats);
  const sums = {
    raw: rows(),
    rawBigBlinds: rows(),
    adjusted: adjusted && rows(),
    adjustedBigBlinds: adjusted && rows(),
  };
  const hands = new Float64Array(blocks);
  for (let hand = 0; hand < played; hand++) {
    const block = Math.floor((hand * blocks) / plannedHands);
    const bigBlind = bigBlinds[hand] ?? 1;
    hands[block] = (hands[block] ?? 0) + 1;
    for (let seat = 0; seat < seats; seat++) {
      const at = block * seats + seat;
      const net = nets[seat]?.[hand] ?? 0;
      add(sums.raw, at, net);
      add(sums.rawBigBlinds, at, net / bigBlind);
      const value = adjusted?.[seat]?.[hand] ?? 0;
      add(sums.adjusted, at, value);
      add(sums.adjustedBigBlinds, at, value / bigBlind);
    }
  }
  return { seats, hands, sums };
}

function add(values: Float64Array | null, at: number, value: number): void {
  if (values !== null) values[at] = (values[at] ?? 0) + value;
}

/** Packs sums: seats, blocks, whether there are adjusted ones, then all numbers as doubles, compressed with zstd. */
export function packBlockSums({ seats, hands, sums }: BlockSums): Buffer {
  const columns = measures.flatMap((measure) => sums[measure] ?? []);
  const numbers = new Float64Array([
    seats,
    hands.length,
    columns.length,
    ...hands,
    ...columns.flatMap((one) => [...one]),
  ]);
  return zstdCompressSync(new Uint8Array(numbers.buffer));
}

/** Unpacks what `packBlockSums` packed. */
export function unpackBlockSums(packed: Uint8Array): BlockSums {
  const bytes = zstdDecompressSync(packed);
  const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const [seats = 0, blocks = 0, columns = 0] = numbers;
  let at = 3;
  const next = (count: number) => {
    at += count;
    return numbers.subarray(at - count, at);
  };
  const hands = next(blocks);
  const sums = measures.map((_, index) => (index < columns ? next(blocks * seats) : null));
  const [raw = null, rawBigBlinds = null, adjusted = null, adjustedBigBlinds = null] = sums;
  return { seats, hands, sums: { raw, rawBigBlinds, adjusted, adjustedBigBlinds } };
}
