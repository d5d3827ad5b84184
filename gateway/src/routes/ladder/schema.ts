import { z } from 'zod';
import { envelope, pageQuery, queryInteger, time } from '../../http/schema.ts';

const chips = (what: string) => z.number().describe(`${what}, in chips per 100 hands`);
const entry = z
  .object({
    rank: z.number().int(),
    best_rank: z
      .number()
      .int()
      .describe('the best rank that the intervals leave; tied with others if it differs from worst_rank'),
    worst_rank: z.number().int(),
    username: z.string(),
    version: z.number().int().describe("of the player's bot, from 1: each has its own rating"),
    rating: chips('against the mean of the field'),
    low: chips('lower end of the 95 % interval'),
    high: chips('its upper end'),
    hands: z.number().int(),
    sets: z.number().int(),
    house: z.boolean().describe('a bot of the platform, which fills tables while fewer than six users take part'),
    paused: z.boolean().describe('it failed in most matches of three sets in a row'),
    day_change: z
      .number()
      .nullable()
      .describe('change of the rating within a day; null: it has none that is a day old'),
    recent: z.array(z.number()).describe('ratings after the last 24 sets, oldest first'),
  })
  .meta({ id: 'LadderEntry' });

export const ladderQuery = z.object(pageQuery(20, 100));
export const ladderResponse = z
  .object({
    entries: z.array(entry).describe('best first'),
    computed_at: time.nullable().describe('end of the newest set that counts; null: none yet'),
    methodology_version: z.number().int().describe('version of the methods in docs/methodology.md'),
    on: z.boolean().describe('sets are played while runners are free'),
    hands_a_set: z.number().int().describe('for each player, in six rotations of one deal set'),
    playing: z
      .array(
        z.object({
          started_at: time,
          players: z.array(z.string()),
          hands_done: z.number().int(),
          hands: z.number().int(),
        }),
      )
      .describe('sets that are planned or in play, the newest first, at most 12'),
    ...envelope,
  })
  .meta({ id: 'Ladder' });

export const setsQuery = z.object({
  after: queryInteger(0, 999_999_999, 0).describe('number of the last set that is known'),
});
export const historyParams = z.object({ username: z.string().min(1).max(200) });
export const historyResponse = z
  .object({
    username: z.string(),
    entry: entry.nullable().describe('null: no rating yet, or the player does not take part'),
    versions: z
      .array(
        z.object({
          version: z.number().int(),
          since: time,
          sets: z.number().int(),
          points: z.array(
            z.object({ time, sets: z.number().int(), rating: z.number(), low: z.number(), high: z.number() }),
          ),
        }),
      )
      .describe('the newest 20; the ratings of each, oldest first, at most about 100'),
    sets: z
      .array(
        z.object({
          set_id: z.string(),
          ended_at: time,
          version: z.number().int(),
          hands: z.number().int(),
          value: chips('won without luck'),
          bad_matches: z
            .number()
            .int()
            .describe('in which the bot did not start, was taken out or failed in most decisions'),
          opponents: z.array(z.string()),
          job_ids: z
            .array(z.string())
            .describe('its matches, while they are kept: for the player and admins, otherwise empty'),
        }),
      )
      .describe('the newest 20'),
  })
  .meta({ id: 'LadderHistory' });

export const partBody = z.strictObject({ takes_part: z.boolean() });
export const partResponse = z
  .object({
    takes_part: z.boolean().describe('with the final submission, once the account is verified'),
    paused_at: time.nullable(),
    pause_reason: z.string().nullable(),
  })
  .meta({ id: 'LadderPart' });
