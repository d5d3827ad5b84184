import { Prisma } from '../generated/client.ts';

/**
 * A statement with its parameters in place: `sql`SELECT … WHERE id = ${id}``. A value becomes a parameter, never text; a
 * nested `sql` becomes part of the statement. node-postgres takes the result as it is.
 */
export const { sql, empty } = Prisma;

export type Sql = Prisma.Sql;

/** A time of the service's clock (ms since the epoch) as a parameter. */
export const at = (ms: number): Sql => sql`${new Date(ms)}::timestamptz`;

/** A list of texts as a parameter, for `= ANY (…)`. */
export const texts = (values: readonly string[]): Sql => sql`${values}::text[]`;

/** A list of ids as a parameter. */
export const ids = (values: readonly string[]): Sql => sql`${values}::uuid[]`;

/** A value that is stored as JSON. */
export const json = (value: unknown): Sql => sql`${JSON.stringify(value)}::jsonb`;
