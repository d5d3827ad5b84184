import { Action } from '@husky/holdem/action';
import type { HandRecord } from '@husky/match/record';

/** What makes a hand worth watching. */
export interface HandFacts {
  /** All chips bet in the hand, without a returned uncalled bet. */
  readonly pot: number;
  /** A player bet the last of its chips. */
  readonly allIn: boolean;
  /** At least two players did not fold. */
  readonly showdown: boolean;
  /** Seats that lost their last chips in this hand. */
  readonly out: readonly number[];
}

/** Computes the facts of a hand from its record and the stacks before it, by seat. */
export function handFacts(record: HandRecord, startStacks: readonly number[]): HandFacts {
  const bets = startStacks.map(() => 0);
  const live = startStacks.map((chips) => chips > 0);
  for (const { seat, amount, kind } of record.actions) {
    bets[seat] = (bets[seat] ?? 0) + amount;
    if (kind === Action.FOLD) live[seat] = false;
  }
  const [highest = 0, second = 0] = [...bets].sort((a, b) => b - a);
  const seats = startStacks.map((_, seat) => seat).filter((seat) => (startStacks[seat] ?? 0) > 0);
  return {
    pot: bets.reduce((sum, bet) => sum + bet, 0) - (highest - second),
    allIn: seats.some((seat) => bets[seat] === startStacks[seat]),
    showdown: live.filter(Boolean).length > 1,
    out: seats.filter((seat) => (startStacks[seat] ?? 0) + (record.deltas[seat] ?? 0) === 0),
  };
}
