import { bytesToHex } from '@noble/hashes/utils.js';
import { streamKey } from './deck.ts';

/** The first rules version whose seats are seeded, so that its matches repeat, bots included. */
export const SEEDED_FROM = 3;

/**
 * Returns the seed, 64 hex digits, of all randomness of one seat's Python (services/runner/seat/husky_seat/randomness.py), or null under rules
 * without one. It tells nothing about decks and other seats.
 */
export const seatSeed = (seed: Uint8Array, seat: number, rulesVersion: number): string | null =>
  rulesVersion < SEEDED_FROM ? null : bytesToHex(streamKey(seed, 'seat-randomness', seat));
