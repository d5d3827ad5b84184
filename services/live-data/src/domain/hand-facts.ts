import { Action, type Street } from '@husky/holdem/action';
import type { HandRecord } from '@husky/match/record';

/** The facts of a hand that the hand index stores. Sets of seats are bit masks: bit s is seat s. */
export interface IndexedHand {
  /** All chips bet in the hand, without a returned uncalled bet. */
  readonly pot: number;
  /** The last street that was dealt. */
  readonly street: Street;
  /** At least two players did not fold. */
  readonly showdown: boolean;
  /** A player bet the last of its chips. */
  readonly allIn: boolean;
  /** Seats that won chips from a pot and did not lose in the hand. */
  readonly winners: number;
  /** Seats with a fault. Every fault folds, so a seat has at most one in a hand. */
  readonly faults: number;
}

export interface HandFacts extends IndexedHand {
  /** Seats that were dealt in. */
  readonly dealtIn: number;
  /** Seats that did not fold. */
  readonly live: number;
  /** Seats that lost their last chips in this hand. */
  readonly out: number;
}

/** Computes the facts of a verified hand from its record and the stacks before it, by seat, without a re-deal. */
export function handFacts(record: HandRecord, startStacks: readonly number[]): HandFacts {
  const bets = startStacks.map(() => 0);
  const dealtIn = maskOf(startStacks, (chips) => chips > 0);
  let live = dealtIn;
  let faults = 0;
  for (const { seat, amount, kind, fault } of record.actions) {
    bets[seat] = (bets[seat] ?? 0) + amount;
    if (kind === Action.FOLD) live &= ~(1 << seat);
    if (fault !== undefined) faults |= 1 << seat;
  }
  const [highest = 0, second = 0] = bets.toSorted((a, b) => b - a);
  const uncalled = highest - second;
  const showdown = (live & (live - 1)) !== 0;
  return {
    pot: bets.reduce((sum, bet) => sum + bet, 0) - uncalled,
    // Before a showdown every street is dealt, without betting if necessary.
    street: showdown ? 3 : (record.actions.at(-1)?.street ?? 0),
    showdown,
    allIn: (maskOf(bets, (bet, seat) => bet === startStacks[seat]) & dealtIn) !== 0,
    winners: maskOf(record.deltas, (delta, seat) => {
      const bet = bets[seat] ?? 0;
      return delta >= 0 && delta + bet - (bet === highest ? uncalled : 0) > 0;
    }),
    faults,
    dealtIn,
    live,
    out: dealtIn & maskOf(record.deltas, (delta, seat) => (startStacks[seat] ?? 0) + delta === 0),
  };
}

function maskOf(values: readonly number[], includes: (value: number, seat: number) => boolean): number {
  return values.reduce((mask, value, seat) => (includes(value, seat) ? mask | (1 << seat) : mask), 0);
}
