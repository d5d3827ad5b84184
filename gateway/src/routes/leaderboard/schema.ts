import { z } from 'zod';
import { queryInteger, time, username } from '../../http/schema.ts';

export const entry = z
  .object({ id: z.string(), username: z.string(), score: z.number(), tag: z.string(), time_created: time })
  .meta({ id: 'LeaderboardEntry' });
export const topParams = z.object({ n: queryInteger(1, 1000, 20) });
export const tagQuery = z.object({ tag: z.string().max(64).default('') });
export const topResponse = z.object({ top_entries: z.array(entry) });
export const tagsResponse = z.object({ tags: z.array(z.string()) });
export const entriesResponse = z.object({ entries: z.array(entry) });
export const addBody = z.object({
  score: z.number().min(-1e12).max(1e12),
  tag: z.string().trim().min(1).max(64),
  username: username.optional(),
});
export const addResponse = z.object({ entry });
