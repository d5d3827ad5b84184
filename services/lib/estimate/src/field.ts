import { addTo, type ClusterSums, type Clusters, packClusters, samplesOf } from './clusters.ts';
import { estimateMean, type Interval, type Limits } from './intervals.ts';
import type { BlockSums, Measure } from './match-sums.ts';

export const estimators = ['raw', 'adjusted', 'duplicate', 'duplicate_adjusted'] as const;
export type Estimator = (typeof estimators)[number];

/** A finished match with its sums. */
export interface MatchSums {
  /** Equal for matches with the same decks, such as the seed in hexadecimal. */
  readonly seed: string;
  /** By seat. A player may hold several seats. */
  readonly players: readonly string[];
  readonly stacks: 'carry' | 'reset';
  /** Chips of each seat at the start. */
  readonly startingStack: number;
  /** Of the first hand. */
  readonly bigBlind: number;
  /** Of the last planned hand, if blinds fall. */
  readonly lastBigBlind?: number | undefined;
  readonly blocks: BlockSums;
}

type Group = readonly MatchSums[];

/** A set of matches, grouped by decks. */
export interface Field {
  readonly ids: readonly string[];
  readonly indexOf: (player: string) => number;
  readonly matches: Group;
  /** Matches with the same decks: complete deal sets, then all others. */
  readonly groups: readonly Group[];
  readonly sets: readonly Group[];
  readonly others: readonly Group[];
}

export const handsOf = ({ hands }: BlockSums) => hands.reduce((sum, count) => sum + count, 0);
export const isAdjusted = ({ blocks }: MatchSums) => blocks.sums.adjusted !== null;

/** Groups matches by seed. A deal set is complete when every player has sat once in every seat. */
export function fieldOf(matches: Group): Field {
  const ids = [...new Set(matches.flatMap(({ players }) => players))].sort();
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const groups = [...Map.groupBy(matches, ({ seed }) => seed).values()];
  const { true: sets = [], false: others = [] } = Object.groupBy(groups, (group) => `${isComplete(group)}`);
  return { ids, indexOf: (id) => indexes.get(id) ?? 0, matches, groups: [...sets, ...others], sets, others };
}

function isComplete(group: Group): boolean {
  const seats = group[0]?.players.length ?? 0;
  const places = new Set(group.flatMap(({ players }) => players.map((player, seat) => `${seat} ${player}`)));
  const players = new Set(group.flatMap((match) => match.players));
  return seats > 1 && group.length === seats && players.size === seats && places.size === seats * seats;
}

/** The independent observations of an estimator. */
export interface Observations {
  readonly clusters: Clusters;
  /** Blocks of hands of the clusters with reset stacks; null with carried stacks. */
  readonly blocks: Clusters | null;
  /** By player. */
  readonly limits: readonly Limits[];
}

/**
 * Returns the clusters of groups: one of all matches with the same decks, so that rotations of a deal count as one observation. Groups with a
 * match without this measure are left out.
 */
export function observe({ ids, indexOf }: Field, groups: readonly Group[], measure: Measure): Observations {
  const known = groups.filter((group) => group.every(({ blocks }) => blocks.sums[measure] !== null));
  const wholes = known.map((group) => sumsOf(group, measure, indexOf, () => 0)[0] ?? new Map());
  const open = known.filter(isReset);
  const parts = open.flatMap((group) => sumsOf(group, measure, indexOf, (block) => block));
  const luck = largestLuck(known, measure);
  return {
    clusters: packClusters(wholes),
    blocks: open.length === 0 ? null : packClusters(parts),
    limits: ids.map((id) => limitsOf(id, known, measure, luck)),
  };
}

/** Estimates the mean of each player for each hand; null where nothing can be said. */
export function estimateMeans({ clusters, blocks, limits }: Observations): (Interval | null)[] {
  const parts = blocks === null ? [] : samplesOf(blocks, limits.length);
  return samplesOf(clusters, limits.length).map((sample, player) =>
    estimateMean(sample, limits[player] as Limits, parts[player] ?? null),
  );
}

const isReset = (group: Group) => group.some(({ stacks }) => stacks === 'reset');

function sumsOf(
  group: Group,
  measure: Measure,
  indexOf: Field['indexOf'],
  place: (block: number) => number,
): ClusterSums[] {
  const clusters: ClusterSums[] = [];
  for (const { players, blocks } of group) {
    for (const [block, hands] of blocks.hands.entries()) {
      if (hands === 0) continue;
      const at = place(block);
      const cluster = clusters[at] ?? new Map();
      clusters[at] = cluster;
      for (const [seat, player] of players.entries()) {
        addTo(cluster, indexOf(player), blocks.sums[measure]?.[block * blocks.seats + seat] ?? 0, hands);
      }
    }
  }
  return clusters.filter((cluster) => cluster !== undefined);
}

/**
 * Returns the limits of what a player can win in one group. With carried stacks it loses at most its chips and wins at most those of the
 * others. In big blinds this holds for those of the first hand if later ones are not smaller; if they are, all chips in the last blinds are beyond what
 * anybody can win or lose (summation by parts). Adjusted sums may go beyond by the largest luck that anybody had.
 */
function limitsOf(id: string, groups: readonly Group[], measure: Measure, luck: number): Limits {
  const own = groups.filter((group) => group.some(({ players }) => players.includes(id)));
  const inBigBlinds = measure.endsWith('BigBlinds');
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const group of own.filter((one) => !isReset(one))) {
    let [lost, won] = [0, 0];
    for (const { players, startingStack, bigBlind, lastBigBlind = bigBlind } of group) {
      const seats = players.filter((player) => player === id).length;
      if (seats === 0) continue;
      const falls = inBigBlinds && lastBigBlind < bigBlind;
      const stack = startingStack / (inBigBlinds ? Math.min(bigBlind, lastBigBlind) : 1);
      lost += stack * (falls ? players.length : seats);
      won += stack * (falls ? players.length : players.length - seats);
    }
    low = Math.min(low, -lost - luck);
    high = Math.max(high, won + luck);
  }
  return { low, high, open: own.some(isReset), clusters: own.length };
}

/** Returns the largest difference between what a seat won in a group with carried stacks and its adjusted sum. */
function largestLuck(groups: readonly Group[], measure: Measure): number {
  if (measure.startsWith('raw')) return 0;
  const raw = measure === 'adjusted' ? 'raw' : 'rawBigBlinds';
  let largest = 0;
  for (const group of groups.filter((one) => !isReset(one))) {
    const luck = new Map<string, number>();
    for (const { players, blocks } of group) {
      for (const [at, value] of (blocks.sums[measure] ?? []).entries()) {
        const player = players[at % blocks.seats] ?? '';
        luck.set(player, (luck.get(player) ?? 0) + value - (blocks.sums[raw]?.[at] ?? 0));
      }
    }
    for (const value of luck.values()) largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}
