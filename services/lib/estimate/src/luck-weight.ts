import { PRIOR_WEIGHTS } from './luck-table.ts';

/** Bounds of the classes of stacks in relation to the pot. */
const STACK_BOUNDS = [1, 3, 10, 30] as const;
export const STACK_CLASSES = STACK_BOUNDS.length + 1;

/** Returns the class of `stackToPot`: chips that can still be bet in relation to the pot. */
export function stackClass(stackToPot: number): number {
  const index = STACK_BOUNDS.findIndex((bound) => stackToPot < bound);
  return index < 0 ? STACK_BOUNDS.length : index;
}

/**
 * Returns by how much a change of equity on a street (1..3) counts in relation to the pot on the table. Bets to come make it count more.
 */
export function streetWeight(street: number, stackToPot: number): number {
  return (PRIOR_WEIGHTS[street - 1] as readonly number[])[stackClass(stackToPot)] as number;
}

// A mean of 1 would suit bots like those to which the table was fitted; most others bet less.
const PRIOR_MEAN = 0.8;
const PRIOR_DEVIATION = 0.3;

/**
 * Coefficients of several terms, learned from the hands so far: the prior mean, and the least squares estimate weighted by its
 * precision. The precision allows for residuals that grow with the term, since few hands with large pots decide most of it
 * (White, Econometrica 48, 1980). The terms have the expectation 0 given all earlier hands, so coefficients that depend only on
 * earlier hands leave the expectation of the adjusted values unchanged.
 */
export class LearnedWeights {
  readonly #squares: number[];
  readonly #products: number[];
  /** Sums over hands of the squared product of term and residual. */
  readonly #noise: number[];

  constructor(terms: number) {
    this.#squares = new Array<number>(terms).fill(0);
    this.#products = new Array<number>(terms).fill(0);
    this.#noise = new Array<number>(terms).fill(0);
  }

  /** Returns the present coefficients. */
  values(): number[] {
    const prior = 1 / PRIOR_DEVIATION ** 2;
    return this.#squares.map((square, term) => {
      const noise = this.#noise[term] as number;
      if (noise === 0) return PRIOR_MEAN;
      const precision = square ** 2 / noise;
      return (prior * PRIOR_MEAN + (precision * (this.#products[term] as number)) / square) / (prior + precision);
    });
  }

  /** Adds a hand: its terms by seat, and by seat what the terms should explain. `values` are the present coefficients. */
  add(terms: readonly (readonly number[])[], targets: readonly number[], values: readonly number[]): void {
    const noise = terms.map(() => 0);
    for (const [seat, target] of targets.entries()) {
      let residual = target;
      for (const [term, bySeat] of terms.entries()) residual -= (values[term] as number) * (bySeat[seat] as number);
      for (const [term, bySeat] of terms.entries()) {
        const value = bySeat[seat] as number;
        this.#squares[term] = (this.#squares[term] as number) + value * value;
        // The other terms are subtracted from the target: they are uncorrelated with this one, but add noise.
        const partial = residual + (values[term] as number) * value;
        this.#products[term] = (this.#products[term] as number) + value * partial;
        noise[term] = (noise[term] as number) + value * residual;
      }
    }
    for (const [term, product] of noise.entries()) this.#noise[term] = (this.#noise[term] as number) + product ** 2;
  }
}
