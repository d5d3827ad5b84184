// Schemas shared by several prefixes.
import { z } from 'zod';

export const errorSchema = z
  .object({
    detail: z.string().describe('One readable sentence'),
    reason: z.string().describe('A stable word for programs'),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' });

/** The refusals of the calls that carry `status_code` (docs/rest-api.md, rule 4). */
export const statusErrorSchema = errorSchema
  .extend({ status_code: z.number().int(), error: z.string().describe('the same as detail') })
  .meta({ id: 'ErrorWithStatus' });

const integerText = z.string().regex(/^[+-]?\d{1,9}$/, 'must be an integer');

/** Parses an integer of a query string. */
export function queryInteger(min: number, max: number, fallback: number) {
  return (
    integerText
      .transform(Number)
      .pipe(z.number().int().min(min).max(max))
      .default(fallback)
      // Describes the value instead of the pattern of its text.
      .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined })
  );
}

export const pageQuery = (pageSize: number, maxPageSize = 1000) => ({
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, maxPageSize, pageSize),
});

/** Filters of the bare arrays (docs/rest-api.md, rule 5). */
export const listQuery = z.object({
  ...pageQuery(500),
  q: z.string().max(100).default(''),
  status: z.string().max(20).default(''),
});

export const envelope = {
  total_count: z.number().int(),
  has_next: z.boolean(),
  has_previous: z.boolean(),
  page: z.number().int(),
};

export function envelopeOf(total: number, page: number, pageSize: number) {
  return { total_count: total, has_next: page * pageSize < total, has_previous: page > 1, page };
}

/** As a pattern of JSON Schema: something is left after trimming, and there is no NUL character (unstorable-values.ts). */
const notBlank = '^[^\\u0000]*[^\\s\\uFEFF\\u0000][^\\u0000]*$';

/**
 * A text of at most `max` characters without the space around it. Counts code points, as JSON Schema does and the services do; zod's own
 * `max` counts an emoji twice.
 */
export const text = (max: number, min: 0 | 1 = 0) =>
  z
    .string()
    .trim()
    .min(min, 'must not be empty')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .meta({ maxLength: max, ...(min === 1 && { pattern: notBlank }) });
export const message = z.object({ message: z.string() });
export const time = z.string().describe('RFC 3339 with a zone');
export const username = z
  .string()
  .regex(/^[A-Za-z0-9_-]{3,32}$/, 'must be 3 to 32 letters, digits, underscores or hyphens');

/** Returns the schema of a name or id in a path. It accepts any text: an invalid name is not found (404), not refused (422). */
export const pathName = (key: string) => z.object({ [key]: z.string().min(1).max(200) });
export const jobParams = z.object({ id: z.string().min(1).max(64) });
