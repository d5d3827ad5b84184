import { type Clusters, samplesOf } from './clusters.ts';
import { estimateMeans, fieldOf, handsOf, type MatchSums, observe } from './field.ts';
import {
  type Interval,
  type Limits,
  minClusters,
  minClustersWithoutBlocks,
  normalQuantile,
  per100,
  probabilityPositive,
  reach,
  studentCdf,
} from './intervals.ts';
import { alpha, significantPairs } from './ranking.ts';

/** Comparisons of all pairs: row against column, in the order of the players. Null where nothing can be said, and on the diagonal. */
export interface Pairs {
  /** Difference of the means for each hand. */
  readonly difference: readonly (readonly (number | null)[])[];
  readonly standardError: readonly (readonly (number | null)[])[];
  /** Probability that the row is better; 0.5 for equal results, and for others whose lead the test takes for none. */
  readonly better: readonly (readonly (number | null)[])[];
  /** Which differences are significant, all pairs taken together. */
  readonly significant: readonly (readonly boolean[])[];
  /** Hands that each of the two still has to play until their difference is significant as well; 0 if it is already. */
  readonly handsNeeded: readonly (readonly (number | null)[])[];
}

const power = 0.8;
/** `handsNeeded` returns null for a larger number. */
const maxHandsNeeded = 1e9;

/**
 * Compares every pair over all clusters in which at least one of the two sat, by the difference of their linearised means; so the dependence
 * within shared clusters counts, and players who never met are compared through the field. `better` is one less the p-value of the test
 * of `estimateMean` against equal means, with the limits of the difference; without limits Student's t also has to agree, over clusters and, while
 * these are few, over `blocks`.
 */
export function comparePairs(clusters: Clusters, limits: readonly Limits[], blocks: Clusters | null = null): Pairs {
  const players = limits.length;
  const totals = totalsOf(clusters, players);
  const rows = (): (number | null)[][] => totals.map(() => totals.map(() => null));
  const pairs = { difference: rows(), standardError: rows(), better: rows() };
  const parts = blocks === null ? null : bySeats(blocks, players);
  const wholes = bySeats(clusters, players);
  for (let i = 0; i < players; i++) {
    for (let j = 0; j < i; j++) {
      const [one, two] = [totals[i] as Total, totals[j] as Total];
      const both = [limits[i] as Limits, limits[j] as Limits] as const;
      if (one.hands === 0 || two.hands === 0 || both.some(({ clusters: count }) => count < minClusters)) continue;
      const pair = [i, j] as const;
      const common = (one.sum + two.sum) / (one.hands + two.hands);
      const values = partsOf(wholes, pair, [one, two], [common, common]);
      const difference = one.mean - two.mean;
      const own = [one.mean, two.mean] as const;
      const error = errorOf(partsOf(wholes, pair, [one, two], own));
      const equal = values.every((value) => value === 0);
      const few = both.some(({ clusters: count }) => count < minClustersWithoutBlocks);
      const errors = [
        { error, count: values.length },
        ...(few && parts !== null ? [blocksError(partsOf(parts, pair, [one, two], own))] : []),
      ];
      const better = equal ? 0.5 : probabilityBetter(values, difference, limitsOf(both, [one, two], values), errors);
      put(pairs.difference, i, j, equal ? 0 : difference, equal ? 0 : -difference);
      put(pairs.standardError, i, j, error, error);
      put(pairs.better, i, j, better, 1 - better);
    }
  }
  const { significant, undecided } = significantPairs(pairs.better);
  const hands = (i: number, j: number) => ((totals[i] as Total).hands + (totals[j] as Total).hands) / 2;
  const planned = significant.map((row, i) =>
    row.map((apart, j) => {
      const [difference, error] = [pairs.difference[i]?.[j] ?? null, pairs.standardError[i]?.[j] ?? null];
      if (difference === null || error === null) return null;
      return apart ? 0 : handsNeeded(difference, error, hands(i, j), undecided);
    }),
  );
  return { ...pairs, significant, handsNeeded: planned };
}

/**
 * Returns how many hands more each of two players must play until Holm's test of `tests` pairs finds the difference with a probability of
 * 80 %, if it is as large as measured: the standard error falls with the root of the hands. Null above 10^9, without a difference, and if
 * normal sums would have found it already.
 */
export function handsNeeded(difference: number, standardError: number, hands: number, tests: number): number | null {
  const required = normalQuantile(1 - alpha / tests / 2);
  if (Math.abs(difference) >= required * standardError) return null;
  const factor = ((required + normalQuantile(power)) * standardError) / difference;
  const more = Math.ceil(hands * (factor * factor - 1));
  return more <= maxHandsNeeded ? more : null;
}

interface DifferenceLimits {
  readonly low: number;
  readonly high: number;
  readonly open: boolean;
}

function probabilityBetter(
  values: readonly number[],
  difference: number,
  { low, high, open }: DifferenceLimits,
  errors: readonly { readonly error: number; readonly count: number }[],
): number {
  const sign = difference < 0 ? -1 : 1;
  // Of the player ahead: the probability of the weighted sums that are against it, with one more cluster at the limit against it.
  let against = probabilityPositive([...values.map((value) => -sign * value), sign > 0 ? -low : high]);
  if (open) {
    for (const { error, count } of errors)
      if (count > 1 && error > 0) against = Math.max(against, studentCdf(-Math.abs(difference) / error, count - 1));
  }
  const ahead = Math.max(0.5, 1 - against);
  return sign > 0 ? ahead : 1 - ahead;
}

/** Returns the limits of one cluster's part of the difference. */
function limitsOf(
  [mine, yours]: readonly [Limits, Limits],
  [one, two]: readonly [Total, Total],
  values: readonly number[],
): DifferenceLimits {
  const open = mine.open || yours.open;
  const known = Number.isFinite(mine.high) && Number.isFinite(yours.high);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const beyond = reach(Math.max(mine.clusters, yours.clusters)) * (most - least);
  return {
    low: Math.min(known ? mine.low / one.hands - yours.high / two.hands : 0, open || !known ? least - beyond : 0),
    high: Math.max(known ? mine.high / one.hands - yours.low / two.hands : 0, open || !known ? most + beyond : 0),
    open,
  };
}

function put(rows: (number | null)[][], i: number, j: number, value: number | null, mirrored: number | null): void {
  (rows[i] as (number | null)[])[j] = value;
  (rows[j] as (number | null)[])[i] = mirrored;
}

interface Total {
  sum: number;
  hands: number;
  mean: number;
}

function totalsOf({ player, sum, hands }: Clusters, players: number): Total[] {
  const totals = Array.from({ length: players }, (): Total => ({ sum: 0, hands: 0, mean: 0 }));
  for (const [entry, index] of player.entries()) {
    const total = totals[index] as Total;
    total.sum += sum[entry] ?? 0;
    total.hands += hands[entry] ?? 0;
  }
  for (const total of totals) total.mean = total.hands === 0 ? 0 : total.sum / total.hands;
  return totals;
}

/** What each player won and its hands, cluster by cluster; no hands where it did not sit. */
interface BySeats {
  readonly clusters: number;
  readonly sums: readonly Float64Array[];
  readonly hands: readonly Float64Array[];
}

function bySeats({ start, player, sum, hands }: Clusters, players: number): BySeats {
  const clusters = start.length - 1;
  const rows = () => Array.from({ length: players }, () => new Float64Array(clusters));
  const found = { clusters, sums: rows(), hands: rows() };
  for (let cluster = 0; cluster < clusters; cluster++) {
    for (let entry = start[cluster] as number; entry < (start[cluster + 1] as number); entry++) {
      (found.sums[player[entry] as number] as Float64Array)[cluster] = sum[entry] as number;
      (found.hands[player[entry] as number] as Float64Array)[cluster] = hands[entry] as number;
    }
  }
  return found;
}

/** Returns each cluster's part of the difference of two means, less what `means` for each hand would give. */
function partsOf(
  { clusters, sums, hands }: BySeats,
  [i, j]: readonly [number, number],
  [one, two]: readonly [Total, Total],
  means: readonly [number, number],
): number[] {
  const values: number[] = [];
  for (let cluster = 0; cluster < clusters; cluster++) {
    const [mine, yours] = [hands[i]?.[cluster] as number, hands[j]?.[cluster] as number];
    if (mine === 0 && yours === 0) continue;
    const [won, lost] = [sums[i]?.[cluster] as number, sums[j]?.[cluster] as number];
    const value = (won - means[0] * mine) / one.hands - (lost - means[1] * yours) / two.hands;
    // Equal results leave rounding errors.
    const size = Math.abs(won / one.hands) + Math.abs(lost / two.hands);
    values.push(Math.abs(value) <= 1e-9 * size ? 0 : value);
  }
  return values;
}

/** Returns the standard error of a sum of independent values whose own means are subtracted. */
const errorOf = (values: readonly number[]) =>
  Math.sqrt((values.length / (values.length - 1)) * values.reduce((sum, value) => sum + value ** 2, 0));

const blocksError = (values: readonly number[]) => ({ error: errorOf(values), count: values.length });

/** What the first of two players won at tables of the two. */
export interface HeadsUp {
  readonly players: readonly [string, string];
  readonly hands: number;
  /** Chips per 100 hands. */
  readonly mean: number;
  /** Null with fewer than two independent matches. */
  readonly interval: Interval | null;
}

/** Returns the results of the pairs who met at tables of two, by names. */
export function headsUpOf(matches: readonly MatchSums[]): HeadsUp[] {
  const duels = matches.filter(({ players }) => players.length === 2 && players[0] !== players[1]);
  const pairs = Object.entries(Object.groupBy(duels, ({ players }) => JSON.stringify([...players].sort())));
  return pairs
    .sort(([one], [two]) => (one < two ? -1 : 1))
    .map(([names, group = []]) => {
      const field = fieldOf(group);
      const observed = observe(field, field.groups, 'raw');
      const [sample] = samplesOf(observed.clusters, 2);
      const hands = group.reduce((sum, match) => sum + handsOf(match.blocks), 0);
      const won = sample?.sums.reduce((sum, value) => sum + value, 0) ?? 0;
      const [interval = null] = estimateMeans(observed);
      return {
        players: JSON.parse(names) as [string, string],
        hands,
        mean: hands === 0 ? 0 : (100 * won) / hands,
        interval: interval && per100(interval),
      };
    });
}
