import { opponents, testRunHands } from '@husky/contracts/test-runs';
import { parseStacks, type StacksMode } from '@husky/match/stacks';
import { DomainError } from '@husky/runtime/rpc/errors';
import { type Blinds, type MatchMode, matchModes } from './job.ts';

export const maxRounds = 10_000;
const maxBigBlind = 1_000_000;
const decimal = /^\d{1,4}(?:\.\d{1,6})?$/;

export function matchRefusal(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'match-invalid', message);
}

/** Checks the number of hands and the blinds of a match. Returns the blinds. Throws INVALID_ARGUMENT for a value out of bounds. */
export function checkMatchRules(
  numRounds: number,
  given: { bigBlind: number; multiplier: string; interval: number } | null,
): Blinds {
  if (!Number.isInteger(numRounds) || numRounds < 1 || numRounds > maxRounds) {
    throw matchRefusal(`The number of rounds must be between 1 and ${maxRounds.toLocaleString('en')}.`);
  }
  const blinds = given ?? { bigBlind: 10, multiplier: '1', interval: 1 };
  if (!Number.isInteger(blinds.bigBlind) || blinds.bigBlind < 1 || blinds.bigBlind > maxBigBlind) {
    throw matchRefusal(`The initial blind must be between 1 and ${maxBigBlind.toLocaleString('en')}.`);
  }
  const multiplier = blinds.multiplier === '' ? '1' : blinds.multiplier;
  if (!decimal.test(multiplier) || Number(multiplier) < 0.1 || Number(multiplier) > 1000) {
    throw matchRefusal('The blind multiplier must be a decimal number between 0.1 and 1000.');
  }
  if (!Number.isInteger(blinds.interval) || blinds.interval < 1) {
    throw matchRefusal('The blind increase interval must be at least 1.');
  }
  return { bigBlind: blinds.bigBlind, multiplier, interval: blinds.interval };
}

/** Checks opponents and length of a test run; '' and 0 are the defaults. Throws INVALID_ARGUMENT for an unknown opponent or a length out of bounds. */
export function checkTestRun(given: { against: string; numRounds: number }): { against: string; numRounds: number } {
  const { min, max } = testRunHands;
  const { against, numRounds } = { against: given.against || 'house', numRounds: given.numRounds || min };
  if (!opponents.includes(against)) throw matchRefusal(`A test run is against one of ${opponents.join(', ')}.`);
  if (numRounds < min || numRounds > max) throw matchRefusal(`A test run has ${min} to ${max} hands.`);
  return { against, numRounds };
}

/** Checks the mode of a match or batch; '' is classic. Throws INVALID_ARGUMENT for an unknown one. */
export function checkMode(given: string): MatchMode {
  const mode = matchModes.find((known) => known === (given || 'classic'));
  if (!mode) throw matchRefusal("The mode must be 'classic' or 'duplicate'.");
  return mode;
}

/** Checks the stacks of a match; '' is the default of its mode. Throws INVALID_ARGUMENT for an unknown text. */
export function checkStacks(given: string, mode: MatchMode): StacksMode {
  if (given === '') return mode === 'duplicate' ? 'reset' : 'carry';
  try {
    return parseStacks(given);
  } catch {
    throw matchRefusal("The stacks must be 'carry' or 'reset'.");
  }
}
