/** A sequential test of the differences between pairs of players, fixed before the first cluster is played. */
export interface SequentialRule {
  /** Probability, over all pairs and all moments at which the test is read, that any decision is false. 0.05 for 95 %. */
  readonly alpha: number;
  /** Number of pairs that are tested together; alpha is divided by it (Bonferroni). */
  readonly pairs: number;
  /** Differences smaller than this, in the unit of the differences, count as equivalent; null: no decision of equivalence. */
  readonly margin: number | null;
  /** Number of clusters for which the interval is made narrowest. The error rate holds for any other number too. */
  readonly plannedClusters: number;
}

export type SequentialDecision = 'better' | 'worse' | 'equivalent' | 'continue';

/** The state of the test after a number of clusters. */
export interface SequentialStep {
  readonly clusters: number;
  readonly mean: number;
  /** The confidence sequence; null while the clusters do not bound the mean. */
  readonly low: number | null;
  readonly high: number | null;
  readonly decision: SequentialDecision;
}

/** No decision is made on fewer clusters, since the t statistic of very few sums is far from that of normal values. */
export const minSequentialClusters = 5;

/**
 * Returns the half-width of the confidence sequence in standard errors of the mean; Infinity while the mean is not bounded. The
 * interval holds the mean at all numbers of clusters at once with probability 1 - alpha: it contains the means whose t-test Bayes
 * factor (right Haar prior on the scale, normal prior of variance `g` on the standardised effect) stays below 1 / alpha. The factor is
 * a nonnegative martingale under its null hypothesis, so Ville's inequality applies. Lai (1976); Wang and Ramdas (2025), "Anytime-valid
 * t-tests and confidence sequences for Gaussian means with unknown variance".
 */
export function sequentialWidth(clusters: number, alpha: number, g: number): number {
  if (clusters < 2) return Number.POSITIVE_INFINITY;
  const spread = 1 + clusters * g;
  // ((1 + t²/v) / (1 + t²/(v·spread)))^(n/2) = sqrt(spread) / alpha, solved for t².
  const ratio = Math.exp((2 / clusters) * (Math.log(spread) / 2 - Math.log(alpha)));
  if (ratio >= spread) return Number.POSITIVE_INFINITY;
  return Math.sqrt(((clusters - 1) * (ratio - 1)) / (1 - ratio / spread));
}

/** Returns the variance of the prior that makes the interval narrowest near `plannedClusters` clusters. */
export function sequentialPrior(plannedClusters: number, alpha: number): number {
  const log = -2 * Math.log(alpha);
  return (log + Math.log(1 + log)) / plannedClusters;
}

/**
 * Returns the state of the test after each cluster. A difference is what the first player of a pair won more than the second one in a
 * cluster (a deal set, or a classic match), in any unit, such as chips per 100 hands. Clusters must be independent. The course ends with
 * the first decision: later clusters are not read. Throws RangeError for an impossible rule.
 */
export function sequentialCourse(differences: readonly number[], rule: SequentialRule): SequentialStep[] {
  checkRule(rule);
  const alpha = rule.alpha / rule.pairs;
  const g = sequentialPrior(rule.plannedClusters, alpha);
  const steps: SequentialStep[] = [];
  let mean = 0;
  let squares = 0;
  for (const [index, difference] of differences.entries()) {
    const clusters = index + 1;
    const before = difference - mean;
    mean += before / clusters;
    squares += before * (difference - mean);
    const halfWidth =
      clusters < minSequentialClusters
        ? Number.POSITIVE_INFINITY
        : sequentialWidth(clusters, alpha, g) * Math.sqrt(squares / (clusters - 1) / clusters);
    // 0 times Infinity: clusters without variance that do not bound the mean yet.
    const bounded = Number.isFinite(halfWidth);
    const low = bounded ? mean - halfWidth : null;
    const high = bounded ? mean + halfWidth : null;
    const decision = decide(low, high, rule.margin);
    steps.push({ clusters, mean, low, high, decision });
    if (decision !== 'continue') break;
  }
  return steps;
}

function decide(low: number | null, high: number | null, margin: number | null): SequentialDecision {
  if (low === null || high === null) return 'continue';
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return margin !== null && low > -margin && high < margin ? 'equivalent' : 'continue';
}

function checkRule({ alpha, pairs, margin, plannedClusters }: SequentialRule): void {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError('alpha must be between 0 and 1');
  if (!(Number.isInteger(pairs) && pairs >= 1))
    throw new RangeError('the number of pairs must be a whole number from 1');
  if (margin !== null && !(margin > 0)) throw new RangeError('the margin must be positive');
  if (!(plannedClusters >= 2)) throw new RangeError('the planned number of clusters must be at least 2');
}
