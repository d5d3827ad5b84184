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

/** One term of chance for a seat. `square` and `stake` are known before the cards: see ChanceTerm. */
export interface SeatTerm {
  readonly chips: number;
  readonly square: number;
  readonly stake: number;
}

// A mean of 1 would suit bots like those to which the table was fitted; most others bet less.
const PRIOR_MEAN = 0.8;
const PRIOR_PRECISION = 1 / 0.3 ** 2;

/** By how much the variance of the adjusted nets may exceed that of the nets. */
const ALLOWANCE = 0.02;
/** Part of the allowance that one term may use. */
const TERM_PART = 0.1;
/** Part of the square that the hand adds to the variance of the nets if the chips bet so far are lost. */
const STAKE_PART = 0.3;

/**
 * The coefficients of one seat, learned from its hands so far. Each is the mean of the prior and of the least squares estimate, weighted by
 * their precisions (White, Econometrica 48, 1980), but limited: if the term explained nothing, its expected square would stay within what
 * the adjustment has saved so far. So a term first has to earn its place. Source: docs/methodology.md, Luck.
 */
export class SeatWeights {
  readonly #squares: number[];
  readonly #products: number[];
  /** Sums of the squared product of term and target. */
  readonly #noise: number[];
  readonly #nets = new Deviations();
  readonly #adjusted = new Deviations();

  constructor(terms: number) {
    this.#squares = new Array<number>(terms).fill(0);
    this.#products = new Array<number>(terms).fill(0);
    this.#noise = new Array<number>(terms).fill(0);
  }

  /** Returns the coefficients of the next hand. They do not depend on its cards. */
  values(terms: readonly Pick<SeatTerm, 'square' | 'stake'>[]): number[] {
    const saved = Math.max(0, (1 + ALLOWANCE) * this.#nets.squares - this.#adjusted.squares);
    return terms.map(({ square, stake }, term) => {
      const loss = stake === 0 ? 0 : -stake - this.#nets.mean;
      const limit = Math.sqrt((TERM_PART * saved + STAKE_PART * loss ** 2) / square);
      return square === 0 ? 0 : Math.max(0, Math.min(this.#learned(term), limit));
    });
  }

  /** Returns `target` without the value of chance, and learns from the hand. */
  adjust(terms: readonly SeatTerm[], target: number): number {
    const values = this.values(terms);
    const adjusted = terms.reduce((rest, { chips }, term) => rest - (values[term] as number) * chips, target);
    for (const [term, { chips }] of terms.entries()) {
      if (chips === 0) continue;
      // The other terms are subtracted: they are uncorrelated with this one, but add noise.
      const product = chips * (adjusted - this.#nets.mean + (values[term] as number) * chips);
      this.#squares[term] = (this.#squares[term] as number) + chips ** 2;
      this.#products[term] = (this.#products[term] as number) + product;
      this.#noise[term] = (this.#noise[term] as number) + product ** 2;
    }
    this.#nets.add(target);
    this.#adjusted.add(adjusted);
    return adjusted;
  }

  #learned(term: number): number {
    const square = this.#squares[term] as number;
    const noise = this.#noise[term] as number;
    if (noise === 0) return PRIOR_MEAN;
    const precision = square ** 2 / noise;
    const estimate = (this.#products[term] as number) / square;
    return (PRIOR_PRECISION * PRIOR_MEAN + precision * estimate) / (PRIOR_PRECISION + precision);
  }
}

/** Mean of values and sum of the squared deviations from it (Welford, Technometrics 4, 1962). */
export class Deviations {
  mean = 0;
  squares = 0;
  count = 0;

  add(value: number): void {
    this.count += 1;
    const deviation = value - this.mean;
    this.mean += deviation / this.count;
    this.squares += deviation * (value - this.mean);
  }
}
