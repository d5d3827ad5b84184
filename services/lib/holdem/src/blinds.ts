import type { Card } from './card.ts';
import type { Positions } from './positions.ts';

/** A blind schedule: the big blind of hand 1, and the multiplier applied to it after every `interval` hands. */
export interface BlindSchedule {
  readonly bigBlind: number;
  /** A decimal above 0 with finitely many digits, such as '1.5'; never used as a float. */
  readonly multiplier: number | string;
  readonly interval: number;
}

export interface Blinds {
  readonly small: number;
  readonly big: number;
}

/** Parses a multiplier into an exact fraction. Throws RangeError unless it is a plain decimal above 0. */
export function parseMultiplier(multiplier: number | string): { numerator: bigint; denominator: bigint } {
  const match = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(String(multiplier));
  if (match === null) throw new RangeError(`the blind multiplier must be a plain decimal, not '${multiplier}'`);
  const fraction = match[2] ?? '';
  const numerator = BigInt(`${match[1]}${fraction}`);
  if (numerator === 0n) throw new RangeError('the blind multiplier must be above 0');
  return { numerator, denominator: 10n ** BigInt(fraction.length) };
}

/** Validates a schedule. Throws RangeError with its first problem. */
export function checkSchedule(schedule: BlindSchedule): void {
  if (!Number.isSafeInteger(schedule.bigBlind) || schedule.bigBlind < 1) {
    throw new RangeError('the big blind must be a whole number of at least 1');
  }
  if (!Number.isSafeInteger(schedule.interval) || schedule.interval < 1) {
    throw new RangeError('the blind interval must be a whole number of at least 1');
  }
  parseMultiplier(schedule.multiplier);
}

/** Returns the number of rises before a hand: (hand - 1) div interval. Hands count from 1. */
export function blindLevel(hand: number, interval: number): number {
  return Math.floor((hand - 1) / interval);
}

/**
 * Computes the blinds of a hand: int(bigBlind * multiplier ^ level), clamped to 1..chipsInPlay; the small blind is half,
 * rounded down, at least 1. Exact arithmetic. Throws RangeError for a bad schedule or hand.
 */
export function blindsAt(hand: number, schedule: BlindSchedule, chipsInPlay: number): Blinds {
  checkSchedule(schedule);
  if (!Number.isSafeInteger(hand) || hand < 1) throw new RangeError('hands count from 1');
  const { numerator, denominator } = parseMultiplier(schedule.multiplier);
  const big = clampedPower(schedule.bigBlind, numerator, denominator, blindLevel(hand, schedule.interval), chipsInPlay);
  return { small: Math.max(1, Math.floor(big / 2)), big };
}

// Steps level by level and stops at the clamp, so that an exponent of thousands never builds a number of thousands of digits.
function clampedPower(start: number, numerator: bigint, denominator: bigint, level: number, ceiling: number): number {
  const limit = BigInt(Math.max(1, ceiling));
  if (numerator === denominator) level = 0;
  let top = BigInt(start);
  let bottom = 1n;
  for (let step = 0; step < level; step++) {
    if (numerator >= denominator ? top >= limit * bottom : top < bottom) break;
    top *= numerator;
    bottom *= denominator;
  }
  const value = top / bottom;
  if (value < 1n) return 1;
  return Number(value < limit ? value : limit);
}

export const MAX_SEATS = 6;
/** Index of the first board card in the deck, independent of the seats still in the match. */
export const BOARD_START = 12;

/** The initial state of a hand. Stacks by seat, 0 = not dealt in. Seat s holds deck[2s] and deck[2s + 1], the board is deck[12..16]. */
export interface HandSetup extends Positions {
  readonly stacks: readonly number[];
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly deck: ArrayLike<Card>;
}

const isChips = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Validates a setup. Throws RangeError with its first problem. */
export function checkSetup(setup: HandSetup): void {
  const { stacks, button, smallBlindSeat, bigBlindSeat, smallBlind, bigBlind, deck } = setup;
  if (stacks.length < 2 || stacks.length > MAX_SEATS) throw new RangeError(`a table has 2 to ${MAX_SEATS} seats`);
  if (!stacks.every(isChips)) throw new RangeError('stacks are whole numbers of chips from 0');
  if (!isChips(smallBlind) || !isChips(bigBlind) || smallBlind < 1 || bigBlind < smallBlind) {
    throw new RangeError('blinds are whole numbers from 1, the small one at most the big one');
  }
  if (deck.length < BOARD_START + 5) throw new RangeError('the deck is too short');
  for (const seat of [button, smallBlindSeat, bigBlindSeat]) {
    if (stacks[seat] === undefined) throw new RangeError(`there is no seat ${seat}`);
  }
  if (stacks.filter((chips) => chips > 0).length < 2) throw new RangeError('a hand has two players or more');
  if (stacks[bigBlindSeat] === 0) throw new RangeError(`seat ${bigBlindSeat} has no chips for the big blind`);
  if (smallBlindSeat === bigBlindSeat) throw new RangeError('both blinds are on one seat');
}
