import { addTo, type ClusterSums, type Clusters, packClusters, samplesOf } from './clusters.ts';
import { estimateMean, type Interval, minClusters } from './intervals.ts';
import type { BlockSums, Measure } from './match-sums.ts';
import { comparePairs, groupPlayers, type Pairs } from './pairs.ts';
import { type Finish, type Rating, rate } from './rating.ts';

/** Version of the methods in docs/methodology.md, part Estimates. A change of results needs a new one. */
export const METHODOLOGY_VERSION = 1;

export const estimators = ['raw', 'adjusted', 'duplicate', 'duplicate_adjusted'] as const;
export type Estimator = (typeof estimators)[number];

/** A finished match with its sums. */
export interface MatchSums {
  /** Equal for matches with the same decks, such as the seed in hexadecimal. */
  readonly seed: string;
  /** By seat. A player may hold several seats. */
  readonly players: readonly string[];
  readonly stacks: 'carry' | 'reset';
  readonly blocks: BlockSums;
}

/** Winnings per 100 hands at a table. */
export interface Estimate {
  readonly chips: Interval;
  readonly bigBlinds: Interval;
  readonly hands: number;
}

export interface PlayerStandings {
  readonly player: string;
  readonly hands: number;
  readonly matches: number;
  /** Deals of complete deal sets. */
  readonly deals: number;
  readonly estimates: Readonly<Record<Estimator, Estimate | null>>;
  /** Players with equal numbers are tied. */
  readonly groups: Readonly<Record<Estimator, number | null>>;
  readonly rating: Rating | null;
}

export interface Standings {
  readonly mode: 'classic' | 'duplicate' | 'mixed';
  readonly matches: number;
  readonly hands: number;
  /** Deals of complete deal sets: each counts once for all its rotations. */
  readonly deals: number;
  /** Matches with values adjusted for luck. */
  readonly adjustedMatches: number;
  /** Matches of deal sets of which not all rotations are finished. */
  readonly incompleteMatches: number;
  /** Best first by the estimator of the pairs. */
  readonly players: readonly PlayerStandings[];
  readonly pairs: { readonly estimator: Estimator } & Pairs;
}

/** Computes the standings of a set of finished matches. Deterministic; the order of the matches does not matter within rounding. */
export function computeStandings(matches: readonly MatchSums[]): Standings {
  const ids = [...new Set(matches.flatMap(({ players }) => players))].sort();
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const field: Field = { players: ids.length, indexOf: (id) => indexOf.get(id) ?? 0, ...dealSetsOf(matches) };
  const results = byEstimator((estimator) => estimateAll(field, estimator));
  const estimator = bestEstimator(matches, field, results);
  const ratings = rate(finishesOf(field), ids.length);
  const players = ids.map(
    (player, index): PlayerStandings => ({
      player,
      ...countsOf(player, field),
      estimates: byEstimator((one) => results[one].estimates[index] ?? null),
      groups: byEstimator((one) => results[one].groups[index] ?? null),
      rating: ratings[index] ?? null,
    }),
  );
  const order = orderOf(players, results[estimator].means);
  return {
    mode: modeOf(field),
    matches: matches.length,
    hands: matches.reduce((sum, { blocks }) => sum + handsOf(blocks), 0),
    deals: field.sets.reduce((sum, [match]) => sum + (match === undefined ? 0 : handsOf(match.blocks)), 0),
    adjustedMatches: matches.filter(isAdjusted).length,
    incompleteMatches: field.incomplete,
    players: order.map((index) => players[index] as PlayerStandings),
    pairs: { estimator, ...reorder(results[estimator].pairs, order) },
  };
}

/** A set of matches, divided into complete deal sets and single matches. */
interface Field {
  readonly players: number;
  readonly indexOf: (player: string) => number;
  readonly matches: readonly MatchSums[];
  readonly sets: readonly (readonly MatchSums[])[];
  readonly single: readonly MatchSums[];
  readonly incomplete: number;
}

interface EstimatorResults {
  readonly estimates: readonly (Estimate | null)[];
  readonly means: readonly (number | null)[];
  readonly pairs: Pairs;
  readonly groups: readonly (number | null)[];
}

function byEstimator<Value>(read: (estimator: Estimator) => Value): Record<Estimator, Value> {
  return {
    raw: read('raw'),
    adjusted: read('adjusted'),
    duplicate: read('duplicate'),
    duplicate_adjusted: read('duplicate_adjusted'),
  };
}

/** Groups matches by seed. A deal set is complete when every player has sat once in every seat. */
function dealSetsOf(matches: readonly MatchSums[]): Pick<Field, 'matches' | 'sets' | 'single' | 'incomplete'> {
  const bySeed = Map.groupBy(matches, ({ seed }) => seed);
  const sets: MatchSums[][] = [];
  const single: MatchSums[] = [];
  let incomplete = 0;
  for (const group of bySeed.values()) {
    const [first] = group;
    const seats = first?.players.length ?? 0;
    const places = new Set(group.flatMap(({ players }) => players.map((player, seat) => `${seat} ${player}`)));
    const players = new Set(group.flatMap((match) => match.players));
    if (seats > 1 && group.length === seats && players.size === seats && places.size === seats * seats)
      sets.push(group);
    else {
      single.push(...group);
      if (group.length > 1) incomplete += group.length;
    }
  }
  return { matches, sets, single, incomplete };
}

function modeOf({ sets, single }: Field): Standings['mode'] {
  if (sets.length === 0) return 'classic';
  return single.length === 0 ? 'duplicate' : 'mixed';
}

const handsOf = ({ hands }: BlockSums) => hands.reduce((sum, count) => sum + count, 0);
const isAdjusted = ({ blocks }: MatchSums) => blocks.sums.adjusted !== null;

function countsOf(player: string, { matches, sets }: Field) {
  const own = matches.filter(({ players }) => players.includes(player));
  const ownSets = sets.filter(([match]) => match?.players.includes(player));
  return {
    hands: own.reduce((sum, { blocks }) => sum + handsOf(blocks), 0),
    matches: own.length,
    deals: ownSets.reduce((sum, [match]) => sum + (match === undefined ? 0 : handsOf(match.blocks)), 0),
  };
}

const per100 = 100;

function estimateAll(field: Field, estimator: Estimator): EstimatorResults {
  const adjusted = estimator === 'adjusted' || estimator === 'duplicate_adjusted';
  const chips = clustersOf(field, estimator, adjusted ? 'adjusted' : 'raw');
  const bigBlinds = samplesOf(
    clustersOf(field, estimator, adjusted ? 'adjustedBigBlinds' : 'rawBigBlinds'),
    field.players,
  );
  const estimates = samplesOf(chips, field.players).map((sample, player): Estimate | null => {
    const inChips = estimateMean(sample);
    const inBigBlinds = estimateMean(bigBlinds[player] ?? sample);
    if (inChips === null || inBigBlinds === null) return null;
    const hands = sample.hands.reduce((sum, count) => sum + count, 0);
    return { chips: scale(inChips), bigBlinds: scale(inBigBlinds), hands };
  });
  const pairs = comparePairs(chips, field.players);
  const means = estimates.map((estimate) => estimate?.chips.mean ?? null);
  return { estimates, means, pairs: scalePairs(pairs), groups: groupPlayers(means, pairs) };
}

function scale({ mean, low, high, standardError }: Interval): Interval {
  return {
    mean: per100 * mean,
    low: per100 * low,
    high: per100 * high,
    standardError: per100 * standardError,
  };
}

function scalePairs(pairs: Pairs): Pairs {
  const scaled = (rows: Pairs['difference']) =>
    rows.map((row) => row.map((value) => (value === null ? null : per100 * value)));
  return { ...pairs, difference: scaled(pairs.difference), standardError: scaled(pairs.standardError) };
}

/**
 * Returns the clusters of an estimator. With reset stacks a cluster is a block of hands: of one match (raw, adjusted) or of all rotations of a
 * deal set (duplicate). With carried stacks the hands of a match depend on each other, so that a cluster is the match or the deal set.
 */
function clustersOf(field: Field, estimator: Estimator, measure: Measure): Clusters {
  const groups = estimator === 'raw' || estimator === 'adjusted' ? field.matches.map((match) => [match]) : field.sets;
  return packClusters(groups.flatMap((group) => clustersOfGroup(group, measure, field.indexOf)));
}

function clustersOfGroup(group: readonly MatchSums[], measure: Measure, indexOf: Field['indexOf']): ClusterSums[] {
  if (group.some(({ blocks }) => blocks.sums[measure] === null)) return [];
  const whole = group.some(({ stacks }) => stacks === 'carry');
  const clusters: ClusterSums[] = [];
  for (const { players, blocks } of group) {
    for (const [block, hands] of blocks.hands.entries()) {
      if (hands === 0) continue;
      const at = whole ? 0 : block;
      const cluster = clusters[at] ?? new Map();
      clusters[at] = cluster;
      for (const [seat, player] of players.entries()) {
        addTo(cluster, indexOf(player), blocks.sums[measure]?.[block * blocks.seats + seat] ?? 0, hands);
      }
    }
  }
  return clusters.filter((cluster) => cluster !== undefined);
}

/** Returns the estimator that removes most luck among those that cover all matches. */
function bestEstimator(
  matches: readonly MatchSums[],
  { single }: Field,
  results: Readonly<Record<Estimator, EstimatorResults>>,
): Estimator {
  const adjusted = matches.every(isAdjusted);
  const candidates: readonly Estimator[] =
    single.length === 0
      ? adjusted
        ? ['duplicate_adjusted', 'duplicate']
        : ['duplicate']
      : adjusted
        ? ['adjusted']
        : [];
  return candidates.find((one) => results[one].means.some((mean) => mean !== null)) ?? 'raw';
}

/** Returns one finishing order for each match; for a deal set one for all its rotations. */
function finishesOf({ sets, single, indexOf }: Field): Finish[] {
  return [...sets, ...single.map((match) => [match])].map((group) => {
    const won = new Map<number, number>();
    for (const { players, blocks } of group) {
      for (const [at, sum] of (blocks.sums.raw ?? []).entries()) {
        const player = indexOf(players[at % blocks.seats] ?? '');
        won.set(player, (won.get(player) ?? 0) + sum);
      }
    }
    return { players: [...won.keys()], won: [...won.values()] };
  });
}

function orderOf(players: readonly PlayerStandings[], means: readonly (number | null)[]): number[] {
  const value = (index: number) => means[index] ?? Number.NEGATIVE_INFINITY;
  const order = [...players.keys()];
  return order.sort((a, b) => (value(a) === value(b) ? a - b : value(b) - value(a)));
}

function reorder(pairs: Pairs, order: readonly number[]): Pairs {
  const ordered = (rows: Pairs['difference']) => order.map((i) => order.map((j) => rows[i]?.[j] ?? null));
  return {
    difference: ordered(pairs.difference),
    standardError: ordered(pairs.standardError),
    better: ordered(pairs.better),
    handsNeeded: ordered(pairs.handsNeeded),
  };
}

/** Returns sentences on the limits of the standings: what cannot be computed or compared, and why. */
export function notesOn(standings: Standings): string[] {
  const { matches, players, adjustedMatches, incompleteMatches, mode } = standings;
  const notes: string[] = [];
  if (matches === 0) return ['No finished matches yet.'];
  if (players.length < 2) notes.push('Only one player: there is nobody to compare with.');
  const few = players.filter(({ estimates }) => estimators.every((estimator) => estimates[estimator] === null));
  if (few.length > 0) {
    notes.push(
      `${few.length} of ${players.length} players have too few matches for an estimate: at least ${minClusters} independent tables are needed, or one match with reset stacks.`,
    );
  }
  if (adjustedMatches < matches) {
    notes.push(
      `Luck is computed for ${adjustedMatches} of ${matches} matches so far; adjusted values cover these only.`,
    );
  }
  if (mode === 'classic') notes.push('No deal was played in all rotations, so there are no duplicate values.');
  if (mode === 'mixed') notes.push('Only some matches are duplicate: duplicate values cover these only.');
  if (incompleteMatches > 0) {
    notes.push(
      `${incompleteMatches} matches belong to deal sets that are not complete; they count in raw values only.`,
    );
  }
  return notes;
}
