import { streamBlock, streamKey } from './deck.ts';

const SMALLEST = 1_000_000_000;

/**
 * Derives the ids by which bots know the players, by seat: distinct ten-digit numbers below 2^32, as in the original. They depend only on the
 * seed, so every attempt has the same ones, and reveal nothing about seed or decks. Candidates are the first four
 * bytes of HMAC-SHA256(streamKey(seed, 'player-ids', 0), uint32be block), block from 0; numbers with fewer digits and repeated ones
 * are skipped. Throws RangeError for a seed of another size.
 */
export function playerIds(seed: Uint8Array, seats: number): number[] {
  const key = streamKey(seed, 'player-ids', 0);
  const ids = new Set<number>();
  for (let number = 0; ids.size < seats; number++) {
    const id = new DataView(streamBlock(key, number).buffer).getUint32(0);
    if (id >= SMALLEST) ids.add(id);
  }
  return [...ids];
}
