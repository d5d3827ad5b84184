import { chanceTerms, type FinishedHand } from '../src/luck.ts';

/** The estimator of LUCK_VERSION 1, for comparison: all seats share one set of coefficients. */
export class SharedCoefficients {
  readonly #squares = [0, 0, 0, 0];
  readonly #products = [0, 0, 0, 0];
  readonly #noise = [0, 0, 0, 0];

  next(hand: FinishedHand): number[] {
    const { events, runOut } = chanceTerms(hand);
    const values = this.#values();
    const noise = [0, 0, 0, 0];
    const adjusted = hand.deltas.map((delta, seat) => {
      const chips = events.map((event) => event.chips[seat] ?? 0);
      const rest = chips.reduce((sum, x, term) => sum - (values[term] ?? 0) * x, delta - (runOut[seat] ?? 0));
      for (const [term, x] of chips.entries()) {
        add(this.#squares, term, x * x);
        add(this.#products, term, x * (rest + (values[term] ?? 0) * x));
        add(noise, term, x * rest);
      }
      return rest;
    });
    for (const [term, product] of noise.entries()) add(this.#noise, term, product ** 2);
    return adjusted;
  }

  #values(): number[] {
    const prior = 1 / 0.3 ** 2;
    return this.#squares.map((square, term) => {
      const noise = this.#noise[term] ?? 0;
      if (noise === 0) return 0.8;
      const precision = square ** 2 / noise;
      return (prior * 0.8 + (precision * (this.#products[term] ?? 0)) / square) / (prior + precision);
    });
  }
}

function add(sums: number[], term: number, value: number): void {
  sums[term] = (sums[term] ?? 0) + value;
}
