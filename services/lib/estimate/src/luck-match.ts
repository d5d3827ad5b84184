import { chanceTerms, type FinishedHand } from './luck.ts';
import { SeatWeights } from './luck-weight.ts';

/** Version of the estimator. It changes whenever a stored match would get other adjusted values. */
export const LUCK_VERSION = 2;

/** Hole cards, flop, turn and river. */
const TERMS = 4;

/** Adjusts the results of a match for luck, hand by hand in order. Source and proof: docs/methodology.md, Luck. */
export class MatchLuck {
  readonly #seats: SeatWeights[] = [];

  /**
   * Returns each seat's net of the next hand without the value of chance, in chips. The values have the expectation of the net, because the
   * coefficients depend only on what was fixed before the cards. Each seat has its own coefficients, so the values need not add up to 0.
   */
  next(hand: FinishedHand): number[] {
    const { events, runOut } = chanceTerms(hand);
    return hand.deltas.map((delta, seat) => {
      if (hand.stacks[seat] === 0) return 0;
      const terms = events.map(({ chips, squares, stakes }) => ({
        chips: chips[seat] as number,
        square: squares[seat] as number,
        stake: stakes[seat] as number,
      }));
      this.#seats[seat] ??= new SeatWeights(TERMS);
      return this.#seats[seat].adjust(terms, delta - (runOut[seat] as number));
    });
  }
}
