import { z } from 'zod';
import { time } from '../../http/schema.ts';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-01')
  .describe('UTC, YYYY-MM-DD');

export const period = z.object({ from: day, to: day.describe('included') });

export const dataExport = z
  .object({
    id: z.string(),
    batch_number: z.number().int().nullable().describe('null: of a period'),
    period: period.nullable().describe('null: of a batch'),
    state: z.enum(['waiting', 'running', 'ready', 'failed', 'dropped']),
    problem: z.string().nullable().describe('why it failed or was dropped'),
    matches: z.number().int(),
    matches_done: z.number().int(),
    hands: z.number().int().describe('written so far'),
    bytes: z.number().int().describe('of the archive so far'),
    created_at: time,
    ended_at: time.nullable(),
    expires_at: time.nullable().describe('when a ready export is removed, unless newer ones need its place earlier'),
  })
  .meta({ id: 'DataExport' });

export const dataExports = z.object({ exports: z.array(dataExport).describe('newest first, at most 20') });
