/** One deal set in which first A, then B sat in the same seats, with the same cards, against the same opponents. */
export interface TrialPair {
  /** Chips of A less those of B, summed over the rotations, luck taken out. */
  readonly difference: number;
  /** Hands of each of the two. */
  readonly hands: number;
}

export interface TrialRule {
  /** Probability of a wrong verdict, at whatever time the trial is looked at. */
  readonly alpha: number;
  /** Differences below it do not matter, in chips per 100 hands. */
  readonly margin: number;
}

export type TrialVerdict = 'better' | 'worse' | 'no_difference' | 'undecided';

/** A against B in chips per 100 hands; the interval is infinite while nothing is excluded. */
export interface TrialDecision {
  /** 'better': A is better. */
  readonly verdict: TrialVerdict;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** All hands that were played, those of A and those of B. */
  readonly hands: number;
}

const per100 = 100;
/** Stakes are 1 / chips per 100 hands: from ten times the margin's scale up and down by factors of two. */
const stakes = Array.from({ length: 16 }, (_, index) => 2 ** (index - 12));

/**
 * Returns the decision after each pair. With probability 1 - alpha all intervals hold the expected difference, so they may be read at any
 * time; each lies within the one before. Exact if the differences are symmetric about their mean, as those of equally good versions
 * of a bot are that differ in nothing but chance; no bound of a difference is needed.
 *
 * Against a difference d, a bettor of each stake multiplies its capital by 1 + tanh(stake * (x - d)): fair if x - d is symmetric. A
 * mixture of capitals excludes d at 2 / alpha (Ville). The factor is never below exp(stake * x - (stake * x)^2 / 2) of de la Peña (Annals of
 * Probability 27, 1999). Throws RangeError for an impossible rule or pair.
 */
export function trialCourse(pairs: readonly TrialPair[], rule: TrialRule): TrialDecision[] {
  const { alpha, margin } = rule;
  if (!(alpha > 0 && alpha < 1)) throw new RangeError('alpha must be between 0 and 1');
  if (!(margin > 0 && Number.isFinite(margin))) throw new RangeError('the margin must be positive');
  const values: number[] = [];
  let [sum, hands, low, high] = [0, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return pairs.map((pair) => {
    if (!(pair.hands > 0 && Number.isFinite(pair.difference)))
      throw new RangeError('a pair must have hands and a number');
    values.push((per100 * pair.difference) / pair.hands);
    sum += pair.difference;
    hands += pair.hands;
    low = Math.max(low, lowest(values, rule));
    high = Math.min(
      high,
      -lowest(
        values.map((value) => -value),
        rule,
      ),
    );
    return { verdict: verdictOf(low, high, margin), estimate: (per100 * sum) / hands, low, high, hands: 2 * hands };
  });
}

/** Returns the last decision of `trialCourse`. */
export function trialDecision(pairs: readonly TrialPair[], rule: TrialRule): TrialDecision {
  const { NEGATIVE_INFINITY: low, POSITIVE_INFINITY: high } = Number;
  return trialCourse(pairs, rule).at(-1) ?? { verdict: 'undecided', estimate: 0, low, high, hands: 0 };
}

function verdictOf(low: number, high: number, margin: number): TrialVerdict {
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return low > -margin && high < margin ? 'no_difference' : 'undecided';
}

/** Returns a difference of which all smaller ones are excluded. */
function lowest(values: readonly number[], { alpha, margin }: TrialRule): number {
  const goal = Math.log((2 * stakes.length) / alpha);
  const excludes = (difference: number) => {
    const capitals = stakes.map((stake) =>
      values.reduce((log, value) => log + logFactor((stake / margin) * (value - difference)), 0),
    );
    const most = Math.max(...capitals);
    return most + Math.log(capitals.reduce((sum, capital) => sum + Math.exp(capital - most), 0)) >= goal;
  };
  // Even a difference far below all values cannot be excluded by a few: each at most doubles the capital.
  if (values.length * Math.LN2 + Math.log(stakes.length) <= goal) return Number.NEGATIVE_INFINITY;
  let open = values.reduce((sum, value) => sum + value, 0) / values.length;
  let step = Math.max(margin, Math.abs(open));
  while (!excludes(open - step)) {
    step *= 2;
    if (step > 1e12 * margin) return Number.NEGATIVE_INFINITY;
  }
  let excluded = open - step;
  while (open - excluded > 1e-3 * margin) {
    const middle = (open + excluded) / 2;
    if (excludes(middle)) excluded = middle;
    else open = middle;
  }
  return excluded;
}

/** Logarithm of 1 + tanh(x) = 2 / (1 + exp(-2x)). */
const logFactor = (x: number) =>
  x > 0 ? Math.LN2 - Math.log1p(Math.exp(-2 * x)) : Math.LN2 + 2 * x - Math.log1p(Math.exp(2 * x));
