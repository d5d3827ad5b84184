import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { putUint32, ShortHmac } from './short-hmac.ts';

export const SEED_BYTES = 32;
const ORDERED = Uint8Array.from({ length: 52 }, (_, card) => card);

/**
 * Derives the key of one random stream of a match: HMAC-SHA256(seed, label || uint32be number). Decks use the label 'deck'; other
 * random values of a match use other labels. Throws RangeError for a seed of another size.
 */
export function streamKey(seed: Uint8Array, label: string, number: number): Uint8Array {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
  if (!Number.isInteger(number) || number < 0 || number > 0xffff_ffff)
    throw new RangeError('the number must be a uint32');
  return new ShortHmac(seed).digest(concatBytes(utf8ToBytes(label), uint32(number)));
}

/**
 * Derives the deck of a hand (from 1), a permutation of 0..51 that depends only on seed and hand. Bytes come from the blocks
 * HMAC-SHA256(key, uint32be block), block from 0; Fisher-Yates from the last card down takes one byte per draw below n and
 * rejects bytes from 256 - 256 mod n on, so that every deck is equally likely.
 */
export function deckFor(seed: Uint8Array, hand: number): Uint8Array {
  if (hand < 1) throw new RangeError('hands count from 1');
  const stream = new ShortHmac(streamKey(seed, 'deck', hand));
  const deck = ORDERED.slice();
  let block = new Uint8Array();
  let blocks = 0;
  let at = 0;
  for (let last = deck.length - 1; last > 0; last--) {
    const range = last + 1;
    const limit = 256 - (256 % range);
    let byte = limit;
    while (byte >= limit) {
      if (at === block.length) {
        block = stream.digest(uint32(blocks));
        blocks += 1;
        at = 0;
      }
      byte = block[at] as number;
      at += 1;
    }
    const pick = byte % range;
    const card = deck[last] as number;
    deck[last] = deck[pick] as number;
    deck[pick] = card;
  }
  return deck;
}

/** Returns the bytes of a random stream from 32 * block on. */
function streamBlock(key: Uint8Array, block: number): Uint8Array<ArrayBuffer> {
  return new ShortHmac(key).digest(uint32(block));
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  putUint32(bytes, 0, value);
  return bytes;
}

/** The first rules version whose seats are seeded, so that its matches repeat, bots included. */
export const SEEDED_FROM = 3;

/**
 * Returns the seed, 64 hex digits, of all randomness of one seat's Python (services/runner/seat/husky_seat/randomness.py), or null under rules
 * without one. It tells nothing about decks and other seats.
 */
export const seatSeed = (seed: Uint8Array, seat: number, rulesVersion: number): string | null =>
  rulesVersion < SEEDED_FROM ? null : bytesToHex(streamKey(seed, 'seat-randomness', seat));

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
