import { Prisma } from '../generated/client.ts';

/**
 * Builds a statement with its parameters: `sql`SELECT … WHERE id = ${id}``. Values become parameters, never text; a nested
 * `sql` becomes part of the statement. The result can be passed to node-postgres.
 */
export const { sql, empty } = Prisma;

export type Sql = Prisma.Sql;

/** Returns a parameter for a time of the service's clock (ms since the epoch). */
export const at = (ms: number): Sql => sql`${new Date(ms)}::timestamptz`;

/** Returns a parameter for a list of texts, for `= ANY (…)`. */
export const texts = (values: readonly string[]): Sql => sql`${values}::text[]`;

/** Returns a parameter for a list of ids. */
export const ids = (values: readonly string[]): Sql => sql`${values}::uuid[]`;

/** Returns a parameter for a value that is stored as JSON. */
export const json = (value: unknown): Sql => sql`${JSON.stringify(value)}::jsonb`;
