import { type Sample, samplesOf } from './clusters.ts';
import {
  type Estimator,
  estimateMeans,
  type Field,
  fieldOf,
  handsOf,
  isAdjusted,
  type MatchSums,
  observe,
} from './field.ts';
import { type Interval, per100 } from './intervals.ts';
import { comparePairs, type HeadsUp, headsUpOf, type Pairs } from './pairs.ts';
import { groupPlayers, type Ranks, rankPlayers } from './ranking.ts';
import { type Finish, type Rating, rate } from './rating.ts';
import { checkRating, type RatingCheck } from './rating-check.ts';

export { type Estimator, estimators, type MatchSums } from './field.ts';

/** Version of the methods in docs/methodology.md, part Estimates. A change of results needs a new one. */
export const METHODOLOGY_VERSION = 3;

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
  readonly ranks: Readonly<Record<Estimator, Ranks | null>>;
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
  /** Pairs who met at tables of two. */
  readonly headsUp: readonly HeadsUp[];
  /** Null with too few matches. */
  readonly ratingCheck: RatingCheck | null;
}

/** Computes the standings of a set of finished matches. Deterministic; the order of the matches does not matter within rounding. */
export function computeStandings(matches: readonly MatchSums[]): Standings {
  const field = fieldOf(matches);
  const results = byEstimator((estimator) => estimateAll(field, estimator));
  const estimator = bestEstimator(field, results);
  const finishes = finishesOf(field);
  const ratings = rate(finishes, field.ids.length);
  const players = field.ids.map(
    (player, index): PlayerStandings => ({
      player,
      ...countsOf(player, field),
      estimates: byEstimator((one) => results[one].estimates[index] ?? null),
      groups: byEstimator((one) => results[one].groups[index] ?? null),
      ranks: byEstimator((one) => results[one].ranks[index] ?? null),
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
    incompleteMatches: field.others.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0),
    players: order.map((index) => players[index] as PlayerStandings),
    pairs: { estimator, ...reorder(results[estimator].pairs, order) },
    headsUp: headsUpOf(matches),
    ratingCheck: checkRating(finishes, field.ids.length),
  };
}

interface EstimatorResults {
  readonly estimates: readonly (Estimate | null)[];
  readonly means: readonly (number | null)[];
  readonly pairs: Pairs;
  readonly groups: readonly (number | null)[];
  readonly ranks: readonly (Ranks | null)[];
}

function byEstimator<Value>(read: (estimator: Estimator) => Value): Record<Estimator, Value> {
  return {
    raw: read('raw'),
    adjusted: read('adjusted'),
    duplicate: read('duplicate'),
    duplicate_adjusted: read('duplicate_adjusted'),
  };
}

function modeOf({ sets, others }: Field): Standings['mode'] {
  if (sets.length === 0) return 'classic';
  return others.length === 0 ? 'duplicate' : 'mixed';
}

function countsOf(player: string, { matches, sets }: Field) {
  const own = matches.filter(({ players }) => players.includes(player));
  const ownSets = sets.filter(([match]) => match?.players.includes(player));
  return {
    hands: own.reduce((sum, { blocks }) => sum + handsOf(blocks), 0),
    matches: own.length,
    deals: ownSets.reduce((sum, [match]) => sum + (match === undefined ? 0 : handsOf(match.blocks)), 0),
  };
}

function estimateAll(field: Field, estimator: Estimator): EstimatorResults {
  const adjusted = estimator.endsWith('adjusted');
  const groups = estimator.startsWith('duplicate') ? field.sets : field.groups;
  const observed = observe(field, groups, adjusted ? 'adjusted' : 'raw');
  const bigBlinds = estimateMeans(observe(field, groups, adjusted ? 'adjustedBigBlinds' : 'rawBigBlinds'));
  const hands = samplesOf(observed.clusters, field.ids.length).map(handsOfSample);
  const estimates = estimateMeans(observed).map((chips, player): Estimate | null => {
    const inBigBlinds = bigBlinds[player] ?? null;
    if (chips === null || inBigBlinds === null) return null;
    return { chips: per100(chips), bigBlinds: per100(inBigBlinds), hands: hands[player] ?? 0 };
  });
  const pairs = comparePairs(observed.clusters, observed.limits, observed.blocks);
  const means = estimates.map((estimate) => estimate?.chips.mean ?? null);
  return {
    estimates,
    means,
    pairs: scalePairs(pairs),
    groups: groupPlayers(means, pairs.significant),
    ranks: rankPlayers(means, pairs.significant),
  };
}

const handsOfSample = ({ hands }: Sample) => hands.reduce((sum, count) => sum + count, 0);

function scalePairs(pairs: Pairs): Pairs {
  const scaled = (rows: Pairs['difference']) =>
    rows.map((row) => row.map((value) => (value === null ? null : 100 * value)));
  return { ...pairs, difference: scaled(pairs.difference), standardError: scaled(pairs.standardError) };
}

/** Returns the estimator that removes most luck among those that cover all matches. */
function bestEstimator({ matches, others }: Field, results: Readonly<Record<Estimator, EstimatorResults>>): Estimator {
  const adjusted = matches.every(isAdjusted);
  const candidates: readonly Estimator[] =
    others.length === 0
      ? adjusted
        ? ['duplicate_adjusted', 'duplicate']
        : ['duplicate']
      : adjusted
        ? ['adjusted']
        : [];
  return candidates.find((one) => results[one].means.some((mean) => mean !== null)) ?? 'raw';
}

/** Returns one finishing order for each match; for a complete deal set one for all its rotations. */
function finishesOf({ sets, others, indexOf }: Field): Finish[] {
  return [...sets, ...others.flat().map((match) => [match])].map((group) => {
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
    significant: order.map((i) => order.map((j) => pairs.significant[i]?.[j] ?? false)),
    difference: ordered(pairs.difference),
    standardError: ordered(pairs.standardError),
    better: ordered(pairs.better),
    handsNeeded: ordered(pairs.handsNeeded),
  };
}
