import { chanceTerms, type FinishedHand } from './luck.ts';
import { LearnedWeights } from './luck-weight.ts';

/** Version of the estimator. It changes whenever a stored match would get other adjusted values. */
export const LUCK_VERSION = 1;

/** Hole cards, flop, turn and river. */
const TERMS = 4;

/** Adjusts the results of a match for luck, hand by hand in order. Source and proof: docs/methodology.md, Luck. */
export class MatchLuck {
  readonly #weights = new LearnedWeights(TERMS);

  /**
   * Returns each seat's net of the next hand without the value of chance, in chips. The values add up to 0 and have the expectation of
   * the net, because the coefficients depend only on earlier hands.
   */
  next(hand: FinishedHand): number[] {
    const { holeCards, streets, runOut } = chanceTerms(hand);
    const terms = [holeCards, ...streets];
    const values = this.#weights.values();
    const targets = hand.deltas.map((delta, seat) => delta - (runOut[seat] as number));
    this.#weights.add(terms, targets, values);
    return targets.map((target, seat) =>
      terms.reduce((rest, bySeat, term) => rest - (values[term] as number) * (bySeat[seat] as number), target),
    );
  }
}
