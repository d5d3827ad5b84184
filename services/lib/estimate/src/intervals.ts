import jstat from 'jstat';
import type { Sample } from './clusters.ts';

/** A mean per hand with its standard error and 95 % interval. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
}

/** What a player can win in one cluster. */
export interface Limits {
  /** Infinity and -Infinity if no cluster has known limits. */
  readonly low: number;
  readonly high: number;
  /** Whether there are clusters without known limits: those whose stacks are reset. */
  readonly open: boolean;
  /** Number of the player's clusters before many are joined. */
  readonly clusters: number;
}

/** Below this number of clusters no interval is given: one cluster does not show how much clusters differ. */
export const minClusters = 2;
/** Below this number of clusters without limits, an interval is not narrower than that of their blocks. */
export const minClustersWithoutBlocks = 20;
export const level = 0.95;
const tail = (1 - level) / 2;
const maxSteps = 100;
/** Of an end, as a part of the distance from the mean to what is possible. */
const precision = 1e-12;

/**
 * Estimates the mean of sums / hands with a 95 % interval over whole clusters. The interval is Gaffke's (Mathematical Methods of Statistics 14,
 * 2005) for values with known limits: Clopper and Pearson's, if all values are at a limit. It weights clusters by exponentials, adds one more
 * cluster at the limit, and contains the means that its weighted sum does not exclude with 97.5 % on either side. Clusters without limits get
 * those of `reach`; the interval then contains Student's t too, also over `blocks`, the parts of the clusters, while these are few. Standard error:
 * linearised ratio estimator. Null with fewer than `minClusters` clusters or without hands.
 */
export function estimateMean(sample: Sample, limits: Limits, blocks: Sample | null = null): Interval | null {
  const hands = total(sample.hands);
  if (limits.clusters < minClusters || hands === 0) return null;
  const mean = total(sample.sums) / hands;
  const standardError = standardErrorOf(sample, mean, hands);
  const ends = [upperEnd(sample, limits), lowerEnd(sample, limits)];
  if (limits.open) {
    ends.push(...studentEnds(mean, standardError, sample.sums.length));
    if (limits.clusters < minClustersWithoutBlocks && blocks !== null && blocks.sums.length > 1)
      ends.push(...studentEnds(mean, standardErrorOf(blocks, mean, hands), blocks.sums.length));
  }
  return { mean, low: Math.min(mean, ...ends), high: Math.max(mean, ...ends), standardError };
}

/** Returns how far beyond the extremes values are assumed to reach, in observed ranges: one range with few clusters, less with more than 14. */
export const reach = (clusters: number) => Math.min(1, 14 / clusters);

/** Returns the upper end of an interval; it never lies outside of what is possible in the hands played. */
function upperEnd(
  { sums, hands }: Sample,
  { high, open, clusters }: Pick<Limits, 'high' | 'open' | 'clusters'>,
): number {
  const all = total(hands);
  // Clusters of no hands have no rate; none are packed.
  const rates = Array.from(sums, (sum, index) => sum / (hands[index] as number));
  const most = Math.max(...rates);
  const extreme = most + reach(clusters) * (most - Math.min(...rates));
  const known = Number.isFinite(high);
  const [fewest, longest] = [Math.min(...hands), Math.max(...hands)];
  const possible = Math.max(...(known ? [(high * clusters) / all] : []), ...(open ? [extreme] : []));
  // The logarithm of the probability that this mean is not too high, less that of the tail.
  return crossing(total(sums) / all, possible, (theta) => {
    const further = [
      ...(known ? [high - theta * fewest, high - theta * longest] : []),
      ...(open ? [((extreme - theta) * all) / sums.length] : []),
    ];
    const values = Array.from(sums, (sum, index) => sum - theta * (hands[index] as number));
    return Math.log(probabilityPositive([...values, Math.max(...further)])) - Math.log(tail);
  });
}

/** Returns the lower end: the upper one of the negative sums. */
function lowerEnd({ sums, hands }: Sample, { low, ...limits }: Limits): number {
  return -upperEnd({ sums: sums.map((sum) => -sum), hands }, { ...limits, high: -low });
}

/** Finds where a function falls below 0 between two points, by regula falsi in the Illinois variant; `to` if it does not. */
function crossing(from: number, to: number, of: (at: number) => number): number {
  let [inside, outside] = [from, to];
  let [above, below] = [of(from), of(to)];
  if (below >= 0) return to;
  let side = 0;
  for (let step = 0; step < maxSteps && Math.abs(outside - inside) > precision * Math.abs(to - from); step++) {
    const flat = !Number.isFinite(below) || above <= 0;
    const at = flat ? (inside + outside) / 2 : inside + ((outside - inside) * above) / (above - below);
    const value = of(at);
    if (value === 0) return at;
    if (value < 0) {
      [outside, below] = [at, value];
      if (side < 0) above /= 2;
      side = -1;
    } else {
      [inside, above] = [at, value];
      if (side > 0) below /= 2;
      side = 1;
    }
  }
  return outside;
}

function standardErrorOf({ sums, hands }: Sample, mean: number, all: number): number {
  const clusters = sums.length;
  let [squares, scale] = [0, 0];
  for (const [index, sum] of sums.entries()) {
    squares += (sum - mean * (hands[index] as number)) ** 2;
    scale += sum ** 2;
  }
  // Equal sums leave rounding errors.
  if (squares <= 1e-18 * scale) return 0;
  return Math.sqrt((clusters / (clusters - 1)) * squares) / all;
}

function studentEnds(mean: number, standardError: number, clusters: number): number[] {
  const half = studentQuantile((1 + level) / 2, clusters - 1) * standardError;
  return [mean - half, mean + half];
}

const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/** Scales an interval from one hand to 100. */
export function per100({ mean, low, high, standardError }: Interval): Interval {
  return { mean: 100 * mean, low: 100 * low, high: 100 * high, standardError: 100 * standardError };
}

/** Returns the probability that a Student t variable is at most `value`. */
export function studentCdf(value: number, degreesOfFreedom: number): number {
  if (!Number.isFinite(value)) return value > 0 ? 1 : 0;
  return jstat.studentt.cdf(value, degreesOfFreedom);
}

/** Returns the value that a Student t variable exceeds with probability 1 - `probability`. */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  return jstat.studentt.inv(probability, degreesOfFreedom);
}

/** Returns the value that a standard normal variable exceeds with probability 1 - `probability`. */
export function normalQuantile(probability: number): number {
  return jstat.normal.inv(probability, 0, 1);
}

/**
 * Returns the probability that the sum of `values`, each times an independent standard exponential weight, is positive. Exact, in the product
 * of the numbers of positive and negative values. Exponentials have no memory: of two running terms a and -b the positive one outlasts the other
 * with probability a / (a + b), and what is left of it is distributed as the whole. So terms cancel one by one until one side is used up.
 */
export function probabilityPositive(values: Iterable<number>): number {
  const gains: number[] = [];
  const losses: number[] = [];
  for (const value of values) {
    if (value > 0) gains.push(value);
    else if (value < 0) losses.push(-value);
  }
  if (gains.length === 0) return 0;
  const count = losses.length;
  // At `at`: the probability with the gains so far, when the losses from `at` on are left.
  const outlasts = new Float64Array(count + 1);
  outlasts[count] = 1;
  for (const gain of gains) {
    for (let at = count - 1; at >= 0; at--) {
      const loss = losses[at] as number;
      outlasts[at] = (gain * (outlasts[at + 1] as number) + loss * (outlasts[at] as number)) / (gain + loss);
    }
  }
  return outlasts[0] as number;
}
