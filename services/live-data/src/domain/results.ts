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

/** Intervals of a curve. More cannot be told apart in a graph 1,400 pixels wide with lines of 2 pixels and 20 players. */
const maxIntervals = 300;

interface Pair {
  won: number;
  ahead: number;
  shared: number;
}

/** Sums up matches in their order for these players; without players, for everybody who played. */
export function sumResults(matches: readonly MatchResult[], playerIds?: readonly string[]): Results {
  const ids = playerIds ?? [...new Set(matches.flatMap(({ deltas }) => [...deltas.keys()]))];
  const points = curvePoints(matches.length);
  const sums = new Map(ids.map((id) => [id, { delta: 0, matches: 0, wins: 0, curve: [0] }]));
  const pairs = new Map<string, Pair>();
  const pairOf = (a: string, b: string) => {
    const key = `${a} ${b}`;
    const pair = pairs.get(key) ?? { won: 0, ahead: 0, shared: 0 };
    pairs.set(key, pair);
    return pair;
  };
  let nextPoint = 1;
  for (const [index, { deltas }] of matches.entries()) {
    const best = Math.max(...deltas.values());
    for (const [id, delta] of deltas) {
      const sum = sums.get(id);
      if (sum === undefined) continue;
      sum.delta += delta;
      sum.matches += 1;
      if (delta === best && best > 0) sum.wins += 1;
      for (const [other, otherDelta] of deltas) {
        if (other === id || !sums.has(other)) continue;
        const pair = pairOf(id, other);
        pair.shared += 1;
        if (delta > otherDelta) pair.ahead += 1;
      }
    }
    for (const { winner, loser, chips } of transfers(deltas)) {
      if (!sums.has(winner) || !sums.has(loser)) continue;
      pairOf(winner, loser).won += chips;
      pairOf(loser, winner).won -= chips;
    }
    if (points[nextPoint] === index + 1) {
      for (const sum of sums.values()) sum.curve.push(sum.delta);
      nextPoint += 1;
    }
  }
  const order = [...sums].sort(([a, one], [b, two]) => two.delta - one.delta || (a < b ? -1 : 1)).map(([id]) => id);
  const players = order.flatMap((userId) => {
    const sum = sums.get(userId);
    const row = order.map((other) => pairs.get(`${userId} ${other}`));
    if (sum === undefined) return [];
    return {
      userId,
      ...sum,
      wonFrom: row.map((pair) => pair?.won ?? 0),
      ahead: row.map((pair) => pair?.ahead ?? 0),
      shared: row.map((pair) => pair?.shared ?? 0),
    };
  });
  return { matches: matches.length, hands: matches.reduce((sum, match) => sum + match.hands, 0), players, points };
}

/** Returns the numbers of matches at which a curve over `count` matches has a value: evenly spread, first 0, last `count`. */
function curvePoints(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / maxIntervals));
  const points = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  return count === 0 ? [0] : [...points, count];
}

/**
 * Splits the loss of each loser of a match among its winners, in proportion to what each winner won. Whole chips: rounding the
 * cumulative shares keeps the sums of every winner and every loser exact.
 */
export function transfers(deltas: ReadonlyMap<string, number>): { winner: string; loser: string; chips: number }[] {
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
