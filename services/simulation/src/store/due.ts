import { at, type Sql, sql } from '@husky/runtime/database/sql';

/**
 * Returns a condition: the time in `column` has come. `longestMs`: how far ahead a time is set at most. A time twice as far ahead was
 * set before PostgreSQL's clock went back, such as in a failover, and has come too.
 */
export const isDue = (column: Sql, now: number, longestMs: number): Sql =>
  sql`(${column} <= ${at(now)} OR ${column} > ${at(now + 2 * longestMs)})`;
