import { samplesOf } from './clusters.ts';
import { estimateMeans, fieldOf, handsOf, type MatchSums, observe } from './field.ts';
import { type Interval, per100 } from './intervals.ts';

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
