import { Prisma } from '../generated/client.ts';

/**
 * A statement with its parameters in place: `sql`SELECT … WHERE id = ${id}``. A value becomes a parameter, never text; a
 * nested `sql` becomes part of the statement. node-postgres takes the result as it is.
 */
export const { sql } = Prisma;
