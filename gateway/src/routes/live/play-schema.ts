import { STREETS } from '@husky/match/game-data';
import { z } from 'zod';
import { deletionsNote } from '../../match-counts.ts';

export const playParams = z.object({ username: z.string().min(1).max(64) });
export const playQuery = z.object({
  batch: z.string().max(20).default('').describe('number of a batch; empty: all matches'),
  versus: z
    .string()
    .max(64)
    .default('')
    .describe('username of another player: counts the matches in which both played, for both of them'),
});

const figure = z
  .object({
    statistic: z.string().describe('vpip, pfr, three_bet, ...: defined in docs/methodology.md'),
    position: z
      .enum(['UTG', 'HJ', 'CO', 'BTN', 'SB', 'BB'])
      .nullable()
      .describe('relative to the button, which is BTN with two players too; null: all positions'),
    street: z.enum(STREETS).nullable().describe('null: the streets that the statistic is defined for'),
    value: z
      .number()
      .nullable()
      .describe(
        'count divided by of: a share from 0 to 1; aggression_factor: a ratio; bet_size: a mean in pots. null: of is 0',
      ),
    count: z.number().describe('of bet_size: the sum of the sizes in pots'),
    of: z.number().int().describe('opportunities; of aggression_factor: calls; of bet_size: bets and raises'),
  })
  .meta({ id: 'PlayFigure' });

export const playResponse = z
  .object({
    username: z.string(),
    versus: z.string().nullable(),
    batch_number: z.number().int().nullable(),
    includes_private: z.boolean().describe("true in the player's own call and those of admins"),
    matches: z.number().int().describe('finished matches that are counted, test runs left out'),
    pending_matches: z.number().int().describe('further matches that will be counted within minutes'),
    deletions_note: deletionsNote,
    players: z
      .array(
        z.object({
          username: z.string(),
          hands: z.number().int().describe('hands in which the player was dealt in'),
          figures: z.array(figure),
          decision_times: z
            .object({
              decisions: z.number().int(),
              p50_ms: z.number().describe('upper bound of the bucket of the median'),
              p95_ms: z.number().describe('upper bound of the bucket of the 95th percentile'),
              max_ms: z.number(),
              buckets: z.array(
                z.object({
                  up_to_ms: z.number().nullable().describe('null: longer than the bucket before'),
                  decisions: z.number().int(),
                }),
              ),
            })
            .nullable()
            .describe("wall time of the bot's decisions; null: unknown"),
          luck: z
            .object({
              points: z
                .array(z.number().int())
                .describe('numbers of matches after which the curves have a value, first 0'),
              raw: z.array(z.number().int()).describe('cumulative chips won'),
              adjusted: z
                .array(z.number())
                .describe(
                  'cumulative chips won without the value of chance (docs/methodology.md); raw less this is luck',
                ),
              pending_matches: z
                .number()
                .int()
                .describe('matches whose luck is not computed yet; the curves leave them out'),
            })
            .describe('luck and skill over time'),
        }),
      )
      .describe('the player, then the player to compare with'),
  })
  .meta({ id: 'PlayStatistics' });
