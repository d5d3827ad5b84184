import { Prisma } from '../generated/client.ts';

/**
 * Builds a statement with its parameters: `sql`SELECT … WHERE id = ${id}``. Values become parameters, never text; a nested
 * `sql` becomes part of the statement. The result can be passed to node-postgres.
 */
export const { sql } = Prisma;
