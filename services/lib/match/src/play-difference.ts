import { actionNames } from '@husky/holdem/action';
import { actionsOf, type GameData } from './game-data.ts';
import type { HandRecord } from './record.ts';

/** An action as it is compared between two plays of a match. */
export interface PlayedAct {
  readonly seat: number;
  /** 0 to 3. */
  readonly street: number;
  /** RAISE, CALL, FOLD, CHECK or ALL IN. */
  readonly action: string;
  /** Chips added. */
  readonly amount: number;
  /** The fault, or 'adjusted'; null if it was played as requested. */
  readonly verdict: string | null;
}

/** Where two plays of a match differ first. */
export interface PlayDifference {
  /** From 1. */
  readonly hand: number;
  /** Number in the hand, blinds included, from 1; null if one of the plays ended before this hand. */
  readonly act: number | null;
  /** Null: that play had no such act. */
  readonly recorded: PlayedAct | null;
  readonly repeated: PlayedAct | null;
  /** One of both is the fault of a limit of time or memory, which depends on the machine. */
  readonly byLimit: boolean;
}

const OF_THE_MACHINE: readonly (string | null | undefined)[] = ['timeout', 'memory', 'startup'];

/** Returns the acts of a recorded hand. */
export const actsOfRecord = ({ actions }: HandRecord): PlayedAct[] =>
  actions.map(({ seat, street, kind, amount, fault, adjusted }) => ({
    seat,
    street,
    action: actionNames[kind],
    amount,
    verdict: fault ?? (adjusted ? 'adjusted' : null),
  }));

/** Returns the acts of a hand's game data. */
export const actsOfGame = (game: GameData): PlayedAct[] =>
  actionsOf(game).map(({ player, round, action, amount, verdict }) => ({
    seat: player,
    street: round,
    action,
    amount,
    verdict: verdict ?? null,
  }));

/**
 * Returns the first act that differs between two plays of one hand, null if they are equal. Cards and results follow from the seed and the acts.
 * A play that ended before this hand is null.
 */
export function playDifference(
  hand: number,
  recorded: readonly PlayedAct[] | null,
  repeated: readonly PlayedAct[] | null,
): PlayDifference | null {
  if (recorded === null || repeated === null)
    return { hand, act: null, recorded: null, repeated: null, byLimit: false };
  for (let index = 0; index < Math.max(recorded.length, repeated.length); index++) {
    const [one, other] = [recorded[index] ?? null, repeated[index] ?? null];
    if (one !== null && other !== null && isSame(one, other)) continue;
    const byLimit = OF_THE_MACHINE.includes(one?.verdict) || OF_THE_MACHINE.includes(other?.verdict);
    return { hand, act: index + 1, recorded: one, repeated: other, byLimit };
  }
  return null;
}

const isSame = (one: PlayedAct, other: PlayedAct): boolean =>
  one.seat === other.seat &&
  one.street === other.street &&
  one.action === other.action &&
  one.amount === other.amount &&
  one.verdict === other.verdict;

/** A value of a file that is not the recomputed one. `path` names it with dots: `playerMoney.finalDelta.3`. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/**
 * Returns the first value of `found` that is not the one of `expected`, or null. Keys that only `found` has are added to `unknown`, because a
 * later release may write more; paths that are `optional` may be missing, because an earlier one did not write them.
 */
export function firstDifference(
  expected: unknown,
  found: unknown,
  { unknown, optional = () => false }: { readonly unknown: Set<string>; readonly optional?: (path: string) => boolean },
  path = '',
): Difference | null {
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found))
    return Object.is(expected, found) ? null : { path, expected, found };
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const isList = Array.isArray(expected);
  for (const key of Object.keys(found)) {
    if (Object.hasOwn(expected, key)) continue;
    // A seat, an id, a name or an element that does not exist is wrong; another key may be of a later release.
    if (isList || /^\d+$/.test(key) || path === 'usernameMapping')
      return { path: at(key), expected: undefined, found: found[key] };
    unknown.add(at(key));
  }
  for (const [key, value] of Object.entries(expected)) {
    if (!Object.hasOwn(found, key) && optional(at(key))) continue;
    const difference = firstDifference(value, found[key], { unknown, optional }, at(key));
    if (difference !== null) return difference;
  }
  return null;
}

/** Shows a value in a sentence. */
export function shown(value: unknown): string {
  if (value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
