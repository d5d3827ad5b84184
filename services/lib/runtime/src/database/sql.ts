import { empty, join, raw, type Sql, sql } from '@prisma/client-runtime-utils';

export type { Sql };

/**
 * `sql` builds a statement with its parameters: `sql`SELECT … WHERE id = ${id}``. Values become parameters, never text; a nested `sql`
 * becomes part of the statement. The result can be passed to `query` of node-postgres and to `$queryRaw` of Prisma. `raw` inserts a
 * constant text, such as a column's name; `join` joins parts; `empty` is a part without text.
 */
export { empty, join, raw, sql };

/** Returns a parameter for a time of the service's clock (ms since the epoch). */
export const at = (ms: number): Sql => sql`${new Date(ms)}::timestamptz`;

/** Returns a parameter for a list of texts, for `= ANY (…)`. */
export const texts = (values: readonly string[]): Sql => sql`${values}::text[]`;

/** Returns a parameter for a list of ids. */
export const ids = (values: readonly string[]): Sql => sql`${values}::uuid[]`;

/** Returns a parameter for a value that is stored as JSON. */
export const json = (value: unknown): Sql => sql`${JSON.stringify(value)}::jsonb`;

/**
 * Returns a query for node-postgres that PostgreSQL parses once per connection, for statements on hot paths that are cheap to run. A name
 * belongs to one text: a statement whose text depends on its arguments must not be prepared.
 */
export const prepared = (name: string, { text, values }: Sql) => ({ name, text, values });
