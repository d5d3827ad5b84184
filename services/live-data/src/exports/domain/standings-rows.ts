import { estimators, type Standings } from '@husky/estimate/standings';
import type { Row } from './tables.ts';

/** Returns the rows of the table standings: a row for each player, best first, and estimator. */
export function standingsRows({ players }: Standings, nameOf: (userId: string) => string): Row[] {
  return players.flatMap(({ player, matches, estimates, groups, ranks, rating }) =>
    estimators.map((estimator): Row => {
      const { chips, bigBlinds, hands } = estimates[estimator] ?? {};
      return {
        user_id: player,
        username: nameOf(player),
        estimator,
        matches,
        hands: hands ?? null,
        chips_per_100: chips?.mean ?? null,
        low: chips?.low ?? null,
        high: chips?.high ?? null,
        standard_error: chips?.standardError ?? null,
        bb_per_100: bigBlinds?.mean ?? null,
        bb_low: bigBlinds?.low ?? null,
        bb_high: bigBlinds?.high ?? null,
        group: groups[estimator],
        rank_best: ranks[estimator]?.best ?? null,
        rank_worst: ranks[estimator]?.worst ?? null,
        rating: rating?.value ?? null,
        rating_low: rating?.low ?? null,
        rating_high: rating?.high ?? null,
      };
    }),
  );
}

/** Returns the rows of the table pairs: a row for each two players, the one with the smaller id first. */
export function pairRows({ players, pairs }: Standings, nameOf: (userId: string) => string): Row[] {
  const places = players.map(({ player }, place) => ({ player, place })).sort((a, b) => (a.player < b.player ? -1 : 1));
  return places.flatMap(({ player, place }, index) =>
    places.slice(index + 1).map(
      ({ player: opponent, place: other }): Row => ({
        estimator: pairs.estimator,
        user_id: player,
        username: nameOf(player),
        opponent_id: opponent,
        opponent: nameOf(opponent),
        better: pairs.better[place]?.[other] ?? null,
        hands_needed: pairs.handsNeeded[place]?.[other] ?? null,
      }),
    ),
  );
}
