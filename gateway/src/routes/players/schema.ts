import { z } from 'zod';
import { time } from '../../http/schema.ts';
import { deletionsNote } from '../../match-counts.ts';
import { resultFields } from '../results.ts';

export const playerParams = z.object({ username: z.string().min(1).max(200) });
export const versusParams = playerParams.extend({ other: z.string().min(1).max(200) });
export const playerResponse = z
  .object({ username: z.string(), ...resultFields, deletions_note: deletionsNote })
  .meta({ id: 'Player' });
export const versionsResponse = z.object({
  username: z.string(),
  versions: z
    .array(
      z.object({
        bot_hash: z.string().describe('SHA-256 over the two files of the bot'),
        matches: z.number().int(),
        delta: z.number().int(),
        decisions: z.number().int().describe('of the matches whose faults are known'),
        failed_decisions: z.number().int(),
        first_ended_at: time,
        last_ended_at: time,
      }),
    )
    .describe('the one that played last first, at most 100'),
});
export const versusResponse = z
  .object({ username: z.string(), other: z.string(), ...resultFields, deletions_note: deletionsNote })
  .meta({ id: 'HeadToHead' });
