import type { Results__Output } from '@husky/contracts/types/live/v1/Results';
import { z } from 'zod';
import type { Context } from '../context.ts';

/** Fields of the results over matches, in the responses about a batch and about a player. */
export const resultFields = {
  matches: z.number().int().describe('finished matches that are counted'),
  hands: z.number().int(),
  points: z.array(z.number().int()).describe('numbers of matches after which the curves have a value, first 0'),
  standings: z
    .array(
      z.object({
        username: z.string(),
        delta: z.number().int(),
        matches: z.number().int(),
        wins: z.number().int().describe('matches in which nobody had a higher delta'),
        curve: z.array(z.number().int()).describe('cumulative delta at each of points'),
        won_from: z
          .array(z.number().int())
          .describe(
            "chips won from (+) or lost to (-) each player of standings: a match's losses are split among its winners in proportion to their wins",
          ),
        ahead: z.array(z.number().int()).describe('shared matches ended with a higher delta, by player of standings'),
        shared: z.array(z.number().int()).describe('matches at one table, by player of standings'),
      }),
    )
    .describe('best first'),
};

export async function presentResults({ matches, hands, points, players }: Results__Output, context: Context) {
  const nameOf = await context.names.of(players.map(({ userId }) => userId));
  return {
    matches,
    hands,
    points,
    standings: players.map(({ userId, delta, matches: played, wins, curve, wonFrom, ahead, shared }) => ({
      username: nameOf(userId),
      delta,
      matches: played,
      wins,
      curve,
      won_from: wonFrom,
      ahead,
      shared,
    })),
  };
}
