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
