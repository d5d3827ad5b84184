/** What one player won at one table (a match, or the rotations of a deal set) and in how many hands. */
export interface TableSum {
  readonly winnings: number;
  readonly hands: number;
}

/** What is certain of every table before it is played. */
export interface TableBounds {
  /** Chips that a player can lose at most: the starting stack times the matches of the table. */
  readonly loss: number;
  /** Chips that a player can win at most: those of all others. */
  readonly gain: number;
  readonly minHands: number;
  readonly maxHands: number;
}

/** Bounds of a rate in chips per 100 hands. */
export interface RateInterval {
  readonly low: number;
  readonly high: number;
}

const per100 = 100;
/** Stakes as shares of the largest loss at rate 0: large ones for few tables, small ones for many and for rates far above 0. */
const stakes = Array.from({ length: 12 }, (_, index) => ((index + 1) / 12) ** 2);
/** Up to this number of tables the interval is made after each one; then whenever the number has grown by `growth`. */
const everyTable = 100;
const growth = 1.05;
/** Precision of a bound, in widths of the interval. Bounds are rounded outwards. */
const precision = 1e-3;

/**
 * Returns an interval for a player's expected rate after each table: winnings over hands, in chips per 100 hands. With probability
 * 1 - alpha all of them hold it. So they may be read at any time; each lies within the one before. Assumes that tables are
 * independent, that the bounds hold and that the expected rate is the same at each table. Throws RangeError for an impossible alpha or
 * bound and for a table outside of the bounds.
 *
 * A rate is excluded once bets against it, which are fair if it is true, have multiplied their capital by 2 / alpha (Ville's
 * inequality). Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 86 (2024): a mixture of
 * constant stakes, for the ratio's estimating function winnings - rate * hands.
 */
export function confidenceSequence(tables: readonly TableSum[], bounds: TableBounds, alpha: number): RateInterval[] {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError('alpha must be between 0 and 1');
  checkBounds(bounds);
  for (const table of tables) checkTable(table, bounds);
  const { loss, gain, minHands, maxHands } = bounds;
  // A rate from above is the negative rate of negative winnings from below.
  const hands = Float64Array.from(tables, (table) => table.hands);
  const won = Float64Array.from(tables, ({ winnings }) => winnings);
  const below = new Bettor(won, hands, { loss, minHands, maxHands }, alpha / 2);
  const above = new Bettor(
    won.map((winnings) => -winnings),
    hands,
    { loss: gain, minHands, maxHands },
    alpha / 2,
  );
  let [low, high] = [-loss / minHands, gain / minHands];
  let next = 1;
  return tables.map((_, index) => {
    const count = index + 1;
    if (count >= next) {
      next = count < everyTable ? count + 1 : Math.ceil(count * growth);
      low = below.lowest(count, low, high);
      high = -above.lowest(count, -high, -low);
    }
    return { low: per100 * low, high: per100 * high };
  });
}

/** Bets at each table that the rate is higher than a stated one. */
class Bettor {
  readonly #won: Float64Array;
  readonly #hands: Float64Array;
  readonly #bounds: Omit<TableBounds, 'gain'>;
  /** Logarithm of the sum of the stakes' capitals, each 1 at first, at which a rate is excluded. */
  readonly #goal: number;

  constructor(won: Float64Array, hands: Float64Array, bounds: Omit<TableBounds, 'gain'>, alpha: number) {
    this.#won = won;
    this.#hands = hands;
    this.#bounds = bounds;
    this.#goal = Math.log(stakes.length / alpha);
  }

  /** Returns a rate from `low` to `high` of which all smaller ones are excluded after `count` tables. `low` is known to be one. */
  lowest(count: number, low: number, high: number): number {
    let [excluded, open] = [low, high];
    if (!this.#excludes(excluded, count)) return low;
    const tolerance = precision * (high - low);
    // Bounds move little from table to table: the first guess is near, the next ones twice as far each.
    let step = 4 * tolerance;
    while (open - excluded > tolerance) {
      const guess = Math.min(excluded + step, (excluded + open) / 2);
      step *= 2;
      if (this.#excludes(guess, count)) excluded = guess;
      else open = guess;
    }
    return excluded;
  }

  /** Monotone: if a rate is excluded, so are all smaller ones. Each factor, and the number of stakes that a loss allows, decrease with the rate. */
  #excludes(rate: number, count: number): boolean {
    const { loss, minHands, maxHands } = this.#bounds;
    const worst = loss + rate * (rate > 0 ? maxHands : minHands);
    let sum = Number.NEGATIVE_INFINITY;
    for (const share of stakes) {
      const stake = share / loss;
      if (stake * worst > 1) continue;
      sum = logSum(sum, this.#logCapital(rate, count, stake));
      if (sum >= this.#goal) return true;
    }
    return false;
  }

  #logCapital(rate: number, count: number, stake: number): number {
    let [log, product] = [0, 1];
    for (let index = 0; index < count; index++) {
      const gained = (this.#won[index] as number) - rate * (this.#hands[index] as number);
      // Below 0 by rounding only.
      product *= Math.max(0, 1 + stake * gained);
      if (product > 1e100 || product < 1e-100) {
        log += Math.log(product);
        product = 1;
      }
    }
    return log + Math.log(product);
  }
}

export type SequentialDecision = 'better' | 'worse' | 'equivalent' | 'continue';

/** The difference of two rates. */
export interface SequentialComparison extends RateInterval {
  /** 'better': the first rate is higher. */
  readonly decision: SequentialDecision;
}

/**
 * Compares two players by their intervals: one is better if the intervals do not overlap; both are equivalent if no difference that the
 * intervals allow reaches the margin, in chips per 100 hands. Null: no decision of equivalence.
 */
export function compareRates(one: RateInterval, other: RateInterval, margin: number | null): SequentialComparison {
  const low = one.low - other.high;
  const high = one.high - other.low;
  return { low, high, decision: decide(low, high, margin) };
}

function decide(low: number, high: number, margin: number | null): SequentialDecision {
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return margin !== null && low > -margin && high < margin ? 'equivalent' : 'continue';
}

function logSum(a: number, b: number): number {
  const [less, more] = a < b ? [a, b] : [b, a];
  return less === Number.NEGATIVE_INFINITY ? more : more + Math.log1p(Math.exp(less - more));
}

function checkBounds({ loss, gain, minHands, maxHands }: TableBounds): void {
  if (!(loss > 0 && gain > 0)) throw new RangeError('the bounds of the winnings must be positive');
  if (!(minHands >= 1 && maxHands >= minHands)) throw new RangeError('a table must have at least one hand');
}

function checkTable({ winnings, hands }: TableSum, { loss, gain, minHands, maxHands }: TableBounds): void {
  if (!(winnings >= -loss && winnings <= gain))
    throw new RangeError(`winnings of ${winnings} chips at a table are outside of -${loss} to ${gain}`);
  if (!(hands >= minHands && hands <= maxHands))
    throw new RangeError(`a table of ${hands} hands is outside of ${minHands} to ${maxHands}`);
}
