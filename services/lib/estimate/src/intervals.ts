import type { Sample } from './clusters.ts';
import { studentQuantile } from './distributions.ts';
import { seededRandom } from './random.ts';

/** A mean per hand with its standard error and 95 % interval. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
}

/** Below this number of clusters no interval is given. */
export const minClusters = 5;
/** From this number of clusters on, the interval is by bootstrap; below it, by Student's t, since resamples of few clusters repeat. */
export const minBootstrapClusters = 20;
const resamples = 1000;
const level = 0.95;

/**
 * Estimates the mean of sums / hands with a 95 % interval over whole clusters: the wider of the studentised bootstrap (Davison and
 * Hinkley 1997, 5.2.1), which follows the skew of the sums, and Student's t on each side; with few clusters Student's t alone. Standard
 * error: linearised ratio estimator. Null with fewer than `minClusters` clusters or without hands. Deterministic.
 */
export function estimateMean({ sums, hands }: Sample): Interval | null {
  const clusters = sums.length;
  const moments = momentsOf(sums, hands, (index) => index);
  if (clusters < minClusters || moments.hands === 0) return null;
  const mean = moments.sum / moments.hands;
  const standardError = standardErrorOf(moments, clusters);
  const { lower, upper } =
    clusters < minBootstrapClusters || standardError === 0
      ? studentPivots(clusters)
      : bootstrapPivots(sums, hands, mean, standardError);
  return { mean, low: mean - upper * standardError, high: mean - lower * standardError, standardError };
}

interface Moments {
  readonly sum: number;
  readonly hands: number;
  readonly sumSquares: number;
  readonly products: number;
  readonly handSquares: number;
}

function momentsOf(sums: Float64Array, hands: Float64Array, pick: (index: number) => number): Moments {
  let [sum, count, sumSquares, products, handSquares] = [0, 0, 0, 0, 0];
  for (let index = 0; index < sums.length; index++) {
    const from = pick(index);
    const y = sums[from] as number;
    const n = hands[from] as number;
    sum += y;
    count += n;
    sumSquares += y * y;
    products += y * n;
    handSquares += n * n;
  }
  return { sum, hands: count, sumSquares, products, handSquares };
}

function standardErrorOf({ sum, hands, sumSquares, products, handSquares }: Moments, clusters: number): number {
  const mean = sum / hands;
  const squares = sumSquares - 2 * mean * products + mean * mean * handSquares;
  // Equal sums leave rounding errors.
  if (squares <= 1e-9 * sumSquares) return 0;
  return Math.sqrt((clusters / (clusters - 1)) * squares) / hands;
}

function studentPivots(clusters: number) {
  const upper = studentQuantile((1 + level) / 2, clusters - 1);
  return { lower: -upper, upper };
}

/** Returns the quantiles of (mean of a resample - mean) / its standard error, or those of Student's t where these are wider. */
function bootstrapPivots(sums: Float64Array, hands: Float64Array, mean: number, standardError: number) {
  const clusters = sums.length;
  const random = seededRandom(clusters);
  const draw = () => Math.floor(random() * clusters);
  const pivots: number[] = [];
  for (let resample = 0; resample < resamples; resample++) {
    const moments = momentsOf(sums, hands, draw);
    const error = standardErrorOf(moments, clusters);
    if (moments.hands > 0 && error > standardError / 1000) pivots.push((moments.sum / moments.hands - mean) / error);
  }
  pivots.sort((a, b) => a - b);
  const at = (probability: number) => pivots[Math.round(probability * (pivots.length - 1))] ?? 0;
  const student = studentPivots(clusters);
  if (pivots.length < resamples / 2) return student;
  return {
    lower: Math.min(at((1 - level) / 2), student.lower),
    upper: Math.max(at((1 + level) / 2), student.upper),
  };
}
