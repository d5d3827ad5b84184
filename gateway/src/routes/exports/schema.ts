import { z } from 'zod';
import { HttpError } from '../../http/errors.ts';
import { time } from '../../http/schema.ts';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-01')
  .describe('UTC, YYYY-MM-DD');

export const period = z.object({
  from: day,
  to: day.describe('included'),
  ladder: z.boolean().optional().describe("the ladder's matches instead of the public ones; for admins"),
});

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

/** The requested bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
  /** Only some bytes were requested: status 206. */
  readonly partial: boolean;
}

/**
 * Parses the Range header for a file of `size` bytes (RFC 9110, 14.2). Returns the whole file for several ranges and other units. Throws
 * 416 for a range after the end.
 */
export function parseRange(header: string, size: number): ByteRange {
  const whole = { offset: 0, length: size, partial: false };
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === '' && last === '') return whole;
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (end <= offset && first !== '' && last !== '' && Number(last) < Number(first)) return whole;
  if (offset >= size || end <= offset) {
    const headers = { 'Content-Range': `bytes */${size}` };
    throw new HttpError(416, 'range-not-satisfiable', `The file has ${size} bytes.`, { headers });
  }
  return { offset, length: end - offset, partial: true };
}
