import { chanceTerms, type FinishedHand } from './luck.ts';
import { LearnedWeights } from './luck-weight.ts';

/** Version of the estimator. It changes whenever a stored match would get other adjusted values. */
export const LUCK_VERSION = 1;

/** Hole cards, flop, turn and river. */
const TERMS = 4;

/** Takes chance out of the results of a match, hand by hand in their order. Source and proof: docs/methodology.md, Luck. */
export class MatchLuck {
  readonly #weights = new LearnedWeights(TERMS);

  /**
   * Returns each seat's net of the next hand without the value of chance, in chips; adds up to 0. The expectation is that of the
   * net: the coefficients depend on earlier hands alone.
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
