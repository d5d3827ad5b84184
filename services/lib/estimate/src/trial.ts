/** One deal set in which first A, then B sat in the same seats, with the same cards, against the same opponents. */
export interface TrialPair {
  /** Chips of A less those of B, summed over the rotations, luck taken out. */
  readonly difference: number;
  /** Hands of each of the two. */
  readonly hands: number;
}

export interface TrialRule {
  /** Probability of a wrong verdict, whenever the trial is looked at. */
  readonly alpha: number;
  /** Differences below it do not matter, in chips per 100 hands. */
  readonly margin: number;
}

export type TrialVerdict = 'better' | 'worse' | 'no_difference' | 'undecided';

/** A against B in chips per 100 hands. */
export interface TrialDecision {
  /** Of A. A trial ends at the first one that is not 'undecided'. */
  readonly verdict: TrialVerdict;
  readonly estimate: number;
  /** Infinite while few pairs exclude nothing. */
  readonly low: number;
  readonly high: number;
  /** All hands that were played, those of A and those of B. */
  readonly hands: number;
}

/** A match of a deal set, as one of the two played it. */
export interface TriedMatch {
  /** Chips won, luck taken out. */
  readonly chips: number;
  readonly hands: number;
}

const per100 = 100;
/** Shares of the capital that are lost by one deviation of the earlier pairs: a larger one decides after few pairs, a small one after many. */
const stakes = [0.2, 0.08];
/** The first pairs only show the deviation. It counts as two margins at least: few equal pairs do not show that none differs. */
const shownPairs = 12;
/** Precision of an end, in margins. */
const precision = 1e-3;

/** Returns the pair of a deal set. Chips count in hundredths; hands that one of the two was not dealt, because a match ended early, count 0. */
export function trialPair(a: readonly TriedMatch[], b: readonly TriedMatch[]): TrialPair {
  const hundredths = ([a, b] as const).map((matches) =>
    matches.reduce((sum, { chips }) => sum + Math.round(100 * chips), 0),
  ) as [number, number];
  const hands = [a, b].map((matches) => matches.reduce((sum, match) => sum + match.hands, 0));
  return { difference: (hundredths[0] - hundredths[1]) / 100, hands: Math.max(...hands) };
}

/**
 * Decides on the pairs so far. With probability 1 - alpha the intervals after all pairs hold the expected difference, so a trial may be looked at, and
 * ended, at any time. 'better' and 'worse': 0 is excluded; 'no_difference': both margins are. Throws RangeError for an impossible rule or pair.
 *
 * The bets of `confidenceSequence` (Waudby-Smith and Ramdas 2024) without known bounds: against a difference d, each bettor multiplies its capital by
 * 1 + stake * (x - d) / deviation at a pair x, with the deviation of the earlier pairs; a mean capital of 2 / alpha excludes d (Ville). This is exact
 * as long as no pair is further below d than 5 and 12.5 of those deviations; one that is ends the bettor.
 */
export function trialDecision(pairs: readonly TrialPair[], { alpha, margin }: TrialRule): TrialDecision {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError('alpha must be between 0 and 1');
  if (!(margin > 0 && Number.isFinite(margin))) throw new RangeError('the margin must be positive');
  for (const { difference, hands } of pairs)
    if (!(hands > 0 && Number.isFinite(difference))) throw new RangeError('a pair must have hands and a difference');
  const sum = pairs.reduce((total, { difference }) => total + difference, 0);
  const hands = pairs.reduce((total, pair) => total + pair.hands, 0);
  const values = pairs.map((pair) => (per100 * pair.difference) / pair.hands);
  const scales = scalesOf(values, 2 * margin);
  const goal = (2 * stakes.length) / alpha;
  const estimate = hands === 0 ? 0 : (per100 * sum) / hands;
  const low = lowest({ values, scales, goal }, margin);
  const high = -lowest({ values: values.map((value) => -value), scales, goal }, margin);
  return { verdict: verdictOf(low, high, margin), estimate, low, high, hands: 2 * hands };
}

function verdictOf(low: number, high: number, margin: number): TrialVerdict {
  if (low >= 0) return 'better';
  if (high <= 0) return 'worse';
  return low >= -margin && high <= margin ? 'no_difference' : 'undecided';
}

/** Returns for each value 1 / deviation of those before it; 0, which is no stake, for the first ones. */
function scalesOf(values: readonly number[], least: number): number[] {
  let [mean, squares] = [0, 0];
  return values.map((value, index) => {
    const scale = index < shownPairs ? 0 : 1 / Math.max(least, Math.sqrt(squares / (index - 1)));
    const before = mean;
    mean += (value - mean) / (index + 1);
    squares += (value - before) * (value - mean);
    return scale;
  });
}

interface Course {
  readonly values: readonly number[];
  readonly scales: readonly number[];
  /** The sum of the capitals, each 1 at first, that excludes a difference. */
  readonly goal: number;
}

/** Returns a difference that was excluded as too low at some pair, and all smaller ones with it. */
function lowest(course: Course, margin: number): number {
  const known = [-margin, 0, margin].filter((difference) => excludes(course, difference));
  let excluded = known.at(-1) ?? Number.NEGATIVE_INFINITY;
  let open = Math.max(...course.values);
  if (excluded === Number.NEGATIVE_INFINITY) {
    if (course.values.length <= shownPairs) return excluded;
    // Each bet gains without limit against low enough differences.
    let step = 2 * margin;
    while (!excludes(course, -step)) {
      open = -step;
      step *= 2;
    }
    excluded = -step;
  }
  while (open - excluded > precision * margin) {
    const middle = (open + excluded) / 2;
    if (excludes(course, middle)) excluded = middle;
    else open = middle;
  }
  return excluded;
}

/** Whether the capital against a difference has ever reached the goal. Monotone: if it has, so it has against all smaller ones. */
function excludes({ values, scales, goal }: Course, difference: number): boolean {
  const capitals = stakes.map(() => 1);
  return values.some((value, index) => {
    const gain = (scales[index] as number) * (value - difference);
    let sum = 0;
    for (const [at, stake] of stakes.entries()) {
      const capital = (capitals[at] as number) * Math.max(0, 1 + stake * gain);
      capitals[at] = capital;
      sum += capital;
    }
    return sum >= goal;
  });
}
