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

const PRIOR_MEAN = 0.5;
const PRIOR_DEVIATION = 0.5;

/**
 * Coefficients of several terms, learned by ridge regression from the hands so far. The terms have the expectation 0 given all
 * earlier hands, so coefficients that depend on earlier hands alone leave the expectation of the adjusted values unchanged.
 */
export class LearnedWeights {
  readonly #squares: number[];
  readonly #products: number[];
  #residuals = 0;
  #count = 0;

  constructor(terms: number) {
    this.#squares = new Array<number>(terms).fill(0);
    this.#products = new Array<number>(terms).fill(0);
  }

  /** Returns the present coefficients. */
  values(): number[] {
    const noise = this.#count === 0 ? Number.POSITIVE_INFINITY : this.#residuals / this.#count;
    const prior = noise / PRIOR_DEVIATION ** 2;
    return this.#squares.map((square, term) =>
      Number.isFinite(prior) && prior + square > 0
        ? (prior * PRIOR_MEAN + (this.#products[term] as number)) / (prior + square)
        : PRIOR_MEAN,
    );
  }

  /** Adds a hand: its terms by seat, and by seat what the terms should explain. `values` are the present coefficients. */
  add(terms: readonly (readonly number[])[], targets: readonly number[], values: readonly number[]): void {
    for (const [seat, target] of targets.entries()) {
      let residual = target;
      for (const [term, bySeat] of terms.entries()) residual -= (values[term] as number) * (bySeat[seat] as number);
      this.#residuals += residual * residual;
      this.#count += 1;
      for (const [term, bySeat] of terms.entries()) {
        const value = bySeat[seat] as number;
        this.#squares[term] = (this.#squares[term] as number) + value * value;
        // The other terms are taken out of the target: they are uncorrelated with this one, but add noise.
        const partial = residual + (values[term] as number) * value;
        this.#products[term] = (this.#products[term] as number) + value * partial;
      }
    }
  }
}
