import { setImmediate as nextTurn } from 'node:timers/promises';

/** A finished match: its hands and the delta of each user. Deltas add up to 0. */
export interface MatchResult {
  readonly hands: number;
  readonly deltas: ReadonlyMap<string, number>;
}

export interface PlayerResults {
  readonly userId: string;
  readonly delta: number;
  readonly matches: number;
  /** Matches in which nobody had a higher delta. */
  readonly wins: number;
  /** Cumulative delta at each of `Results.points`. */
  readonly curve: readonly number[];
  /** By player, in the order of `Results.players`: chips won from it (+) or lost to it (-). */
  readonly wonFrom: readonly number[];
  /** By player: shared matches that this player ended with a higher delta. */
  readonly ahead: readonly number[];
  /** By player: matches at one table. */
  readonly shared: readonly number[];
}

export interface Results {
  readonly matches: number;
  readonly hands: number;
  readonly players: readonly PlayerResults[];
  /** Numbers of matches after which the curves have a value, from 0 to `matches`. */
  readonly points: readonly number[];
}

/** Maximum number of intervals of a curve. More cannot be distinguished in a graph 1,400 pixels wide with lines of 2 pixels and 20 players. */
const maxIntervals = 300;
/** Number of matches that are summed before other calls may run: about 20 ms. */
const groupSize = 1000;

/**
 * Sums up matches in their order for these players; without players, for everybody who played. Lets other calls run between
 * groups of matches.
 */
export async function sumResults(matches: readonly MatchResult[], playerIds?: readonly string[]): Promise<Results> {
  const ids = playerIds ?? [...new Set(matches.flatMap(({ deltas }) => [...deltas.keys()]))];
  const points = curvePoints(matches.length);
  const sums = ids.map((userId) => ({ userId, delta: 0, matches: 0, wins: 0, curve: [0] }));
  // Rows of numbers: for the 38,760 matches of a batch of 20 players, maps of pairs took 3 s.
  const rows = () => ids.map(() => new Array<number>(ids.length).fill(0));
  const pairs = { won: rows(), ahead: rows(), shared: rows() };
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  let nextPoint = 1;
  for (const [number, { deltas }] of matches.entries()) {
    if (number % groupSize === groupSize - 1) await nextTurn();
    addMatch(deltas, indexOf, sums, pairs);
    if (points[nextPoint] !== number + 1) continue;
    for (const sum of sums) sum.curve.push(sum.delta);
    nextPoint += 1;
  }
  const order = sums.map((_, index) => index).sort((a, b) => compareSums(sums[a], sums[b]));
  const inOrder = (row: readonly number[] = []) => order.map((index) => row[index] ?? 0);
  const players = order.flatMap((index) => {
    const sum = sums[index];
    if (sum === undefined) return [];
    const [wonFrom, ahead, shared] = [pairs.won[index], pairs.ahead[index], pairs.shared[index]].map(inOrder);
    return { ...sum, wonFrom: wonFrom ?? [], ahead: ahead ?? [], shared: shared ?? [] };
  });
  return { matches: matches.length, hands: matches.reduce((sum, match) => sum + match.hands, 0), players, points };
}

interface Sum {
  readonly userId: string;
  delta: number;
  matches: number;
  wins: number;
}
type Pairs = Readonly<Record<'won' | 'ahead' | 'shared', readonly number[][]>>;

function compareSums(one: Sum | undefined, two: Sum | undefined): number {
  if (one === undefined || two === undefined) return 0;
  return two.delta - one.delta || (one.userId < two.userId ? -1 : 1);
}

function addMatch(
  deltas: ReadonlyMap<string, number>,
  indexOf: ReadonlyMap<string, number>,
  sums: readonly Sum[],
  pairs: Pairs,
): void {
  const best = Math.max(...deltas.values());
  const add = (kind: keyof Pairs, id: string, other: string, value: number) => {
    const column = indexOf.get(other);
    const row = pairs[kind][indexOf.get(id) ?? -1];
    if (row !== undefined && column !== undefined) row[column] = (row[column] ?? 0) + value;
  };
  for (const [id, delta] of deltas) {
    const sum = sums[indexOf.get(id) ?? -1];
    if (sum === undefined) continue;
    sum.delta += delta;
    sum.matches += 1;
    if (delta === best && best > 0) sum.wins += 1;
    for (const [other, otherDelta] of deltas) {
      if (other === id) continue;
      add('shared', id, other, 1);
      if (delta > otherDelta) add('ahead', id, other, 1);
    }
  }
  for (const { winner, loser, chips } of splitLosses(deltas)) {
    add('won', winner, loser, chips);
    add('won', loser, winner, -chips);
  }
}

/** Returns the numbers of matches at which a curve over `count` matches has a value: evenly spread, first 0, last `count`. */
export function curvePoints(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / maxIntervals));
  const points = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  return count === 0 ? [0] : [...points, count];
}

/**
 * Splits the loss of each loser of a match among its winners, in proportion to their wins, in whole chips. Rounding the cumulative
 * shares keeps the sums of every winner and every loser exact.
 */
export function splitLosses(deltas: ReadonlyMap<string, number>): { winner: string; loser: string; chips: number }[] {
  const winners = [...deltas].filter(([, delta]) => delta > 0);
  const losers = [...deltas].filter(([, delta]) => delta < 0);
  const total = winners.reduce((sum, [, delta]) => sum + delta, 0);
  const found: { winner: string; loser: string; chips: number }[] = [];
  let wonBefore = 0;
  for (const [winner, won] of winners) {
    let lostBefore = 0;
    for (const [loser, lost] of losers) {
      const share = (ofWinners: number, ofLosers: number) => Math.floor((ofWinners * ofLosers) / total);
      const chips =
        share(wonBefore + won, lostBefore - lost) -
        share(wonBefore, lostBefore - lost) -
        share(wonBefore + won, lostBefore) +
        share(wonBefore, lostBefore);
      if (chips !== 0) found.push({ winner, loser, chips });
      lostBefore -= lost;
    }
    wonBefore += won;
  }
  return found;
}
