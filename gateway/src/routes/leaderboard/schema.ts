import { z } from 'zod';
import { envelope, pageQuery, queryInteger, text, time, username } from '../../http/schema.ts';

export const entry = z
  .object({ id: z.string(), username: z.string(), score: z.number(), tag: z.string(), time_created: time })
  .meta({ id: 'LeaderboardEntry' });
export const topParams = z.object({ n: queryInteger(1, 1000, 20) });
const tag = z.string().max(64).default('');
export const topQuery = z.object({ tag, page: queryInteger(1, 1_000_000, 1) });
export const entriesQuery = z.object({ tag, ...pageQuery(1000) });
export const topResponse = z.object({
  top_entries: z.array(
    entry
      .extend({ rank: z.number().int().describe('1 + the number of entries with a higher score') })
      .meta({ id: 'RankedEntry' }),
  ),
  ...envelope,
});
export const boardQuery = z.object({
  tag: tag.describe(
    "which board; without it the home page's: the event's setting, else the one with the newest result",
  ),
  ...pageQuery(20),
});
const boardRow = z
  .object({
    username: z.string(),
    rank: z.number().int().describe('1 + the number of users with a higher score'),
    score: z.number().describe("the sum of the user's entries under the tag"),
    entries: z.number().int(),
    matches: z.number().int().describe('in these entries; 0 where admins enter the scores'),
  })
  .meta({ id: 'BoardRow' });
export const boardResponse = z
  .object({
    tag: z.string(),
    from_matches: z.boolean().describe('the platform adds finished matches; otherwise admins enter scores'),
    matches: z.number().int().describe('matches on the board, each once'),
    note: z.string().nullable().describe('which planned matches of its batches were deleted; null: none'),
    rows: z.array(boardRow).describe('one row a user, best first'),
    ...envelope,
    boards: z.array(z.string()).describe('tags of all boards with entries, that of the newest result first'),
  })
  .meta({ id: 'Board' });
export const tagsResponse = z.object({ tags: z.array(z.string()) });
export const entriesResponse = z.object({ entries: z.array(entry), ...envelope });
export const addBody = z.strictObject({
  score: z.number().min(-1e12).max(1e12),
  tag: text(64, 1),
  username: username.optional(),
});
export const addResponse = z.object({ entry });
