import type { Clusters } from './clusters.ts';
import { normalQuantile, studentCdf } from './distributions.ts';
import { minClusters } from './intervals.ts';

/** Comparisons of all pairs: row against column, in the order of the players. Null where nothing can be said, and on the diagonal. */
export interface Pairs {
  /** Difference of the means for each hand. */
  readonly difference: readonly (readonly (number | null)[])[];
  readonly standardError: readonly (readonly (number | null)[])[];
  /** Probability that the row is better; 0.5 for equal results. */
  readonly better: readonly (readonly (number | null)[])[];
  /** Hands that each of the two still has to play until their difference is significant; 0 if it is already. */
  readonly handsNeeded: readonly (readonly (number | null)[])[];
}

const alpha = 0.05;
const power = 0.8;
/** `handsNeeded` returns null for a larger number. */
const maxHandsNeeded = 1e9;

/**
 * Compares every pair over all clusters in which at least one of the two sat: the difference of their means, with the standard error of
 * the linearised difference, so that the dependence within shared clusters counts. Two players who never met are compared through
 * the field. `better` is the Student t probability of the difference over its standard error.
 */
export function comparePairs(clusters: Clusters, players: number): Pairs {
  const totals = totalsOf(clusters, players);
  const { variances, covariances, shared } = influencesOf(clusters, totals);
  const rows = (): (number | null)[][] => totals.map(() => totals.map(() => null));
  const pairs = { difference: rows(), standardError: rows(), better: rows(), handsNeeded: rows() };
  for (const [i, one] of totals.entries()) {
    for (const [j, two] of totals.entries()) {
      if (i === j || one.clusters < minClusters || two.clusters < minClusters) continue;
      if (one.hands === 0 || two.hands === 0) continue;
      const difference = one.mean - two.mean;
      const count = one.clusters + two.clusters - (shared[i]?.[j] ?? 0);
      const own = (variances[i] ?? 0) + (variances[j] ?? 0);
      const variance = own - 2 * (covariances[i]?.[j] ?? 0);
      // Equal results leave rounding errors.
      const error = variance <= 1e-12 * own ? 0 : Math.sqrt((variance * count) / (count - 1));
      const equal = error === 0 && Math.abs(difference) <= 1e-9 * (Math.abs(one.mean) + Math.abs(two.mean));
      put(pairs.difference, i, j, equal ? 0 : difference);
      put(pairs.standardError, i, j, error);
      put(pairs.better, i, j, equal ? 0.5 : studentCdf(difference / error, count - 1));
      put(pairs.handsNeeded, i, j, equal ? null : handsNeeded(difference, error, (one.hands + two.hands) / 2));
    }
  }
  return pairs;
}

/**
 * Returns how many hands more each of two players must play until a test at 95 % finds the difference with a probability of 80 %, if it is
 * as large as measured: the standard error falls with the root of the hands. 0 if the difference is significant already; null above 10^9.
 */
export function handsNeeded(difference: number, standardError: number, hands: number): number | null {
  const required = normalQuantile(1 - alpha / 2);
  if (Math.abs(difference) >= required * standardError) return 0;
  const factor = ((required + normalQuantile(power)) * standardError) / difference;
  const more = Math.ceil(hands * (factor * factor - 1));
  return more <= maxHandsNeeded ? more : null;
}

function put(rows: (number | null)[][], i: number, j: number, value: number | null): void {
  const row = rows[i];
  if (row !== undefined) row[j] = value;
}

interface Total {
  sum: number;
  hands: number;
  clusters: number;
  mean: number;
}

function totalsOf({ player, sum, hands }: Clusters, players: number): Total[] {
  const totals = Array.from({ length: players }, (): Total => ({ sum: 0, hands: 0, clusters: 0, mean: 0 }));
  for (const [entry, index] of player.entries()) {
    const total = totals[index];
    if (total === undefined) continue;
    total.sum += sum[entry] ?? 0;
    total.hands += hands[entry] ?? 0;
    total.clusters += 1;
  }
  for (const total of totals) total.mean = total.hands === 0 ? 0 : total.sum / total.hands;
  return totals;
}

/** Returns sums over the clusters of squares and products of each player's influence (sum - mean * hands) / all hands. */
function influencesOf({ start, player, sum, hands }: Clusters, totals: readonly Total[]) {
  const rows = () => totals.map(() => new Float64Array(totals.length));
  const [covariances, shared] = [rows(), rows()];
  const variances = new Float64Array(totals.length);
  const influence = new Float64Array(player.length);
  for (const [entry, index] of player.entries()) {
    const total = totals[index];
    if (total === undefined || total.hands === 0) continue;
    const value = ((sum[entry] ?? 0) - total.mean * (hands[entry] ?? 0)) / total.hands;
    influence[entry] = value;
    variances[index] = (variances[index] ?? 0) + value * value;
  }
  for (let cluster = 0; cluster + 1 < start.length; cluster++) {
    const end = start[cluster + 1] as number;
    for (let one = start[cluster] as number; one < end; one++) {
      const row = covariances[player[one] as number] as Float64Array;
      const met = shared[player[one] as number] as Float64Array;
      for (let two = start[cluster] as number; two < end; two++) {
        const other = player[two] as number;
        row[other] = (row[other] as number) + (influence[one] as number) * (influence[two] as number);
        met[other] = (met[other] as number) + 1;
      }
    }
  }
  return { variances, covariances, shared };
}

/**
 * Returns a group number for each player, from 1 for the best; null for a player without a mean. Differences are tested with Holm's
 * step-down correction over all pairs (at most 5 % probability of one false difference). The best player opens a group; the next ones
 * join it until one differs significantly from a member, and opens the next group. Players of neighbouring groups may still be tied with
 * each other: the matrix of pairs shows it.
 */
export function groupPlayers(means: readonly (number | null)[], pairs: Pairs): (number | null)[] {
  const significant = significantPairs(pairs);
  const order = [...means.keys()].filter((index) => means[index] !== null);
  order.sort((a, b) => (means[b] ?? 0) - (means[a] ?? 0) || a - b);
  const groups = means.map((): number | null => null);
  let group = 1;
  let members: number[] = [];
  for (const player of order) {
    if (members.some((member) => significant[member]?.[player])) {
      group += 1;
      members = [];
    }
    members.push(player);
    groups[player] = group;
  }
  return groups;
}

/** Returns the pairs with a significant difference. Holm (1979): tests them by p-value, each against alpha divided by the number of pairs left. */
function significantPairs({ better }: Pairs): boolean[][] {
  const tests = better.flatMap((row, i) =>
    row.flatMap((probability, j) =>
      probability === null || j <= i ? [] : [{ i, j, p: 2 * Math.min(probability, 1 - probability) }],
    ),
  );
  tests.sort((a, b) => a.p - b.p);
  const significant = better.map((row) => row.map(() => false));
  for (const [index, { i, j, p }] of tests.entries()) {
    if (p > alpha / (tests.length - index)) break;
    const [row, column] = [significant[i], significant[j]];
    if (row !== undefined) row[j] = true;
    if (column !== undefined) column[i] = true;
  }
  return significant;
}
