import { countRows } from '@husky/runtime/database/row-count';
import { empty, join, raw, type Sql, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';

/** Empty strings, empty lists and undefined match every record. */
export interface AuditFilter {
  readonly actorId: string;
  readonly action: string;
  readonly subjectId: string;
  readonly words: readonly string[];
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}
/** A pagination cursor: the last record of the page before. */
export interface AuditCursor {
  readonly at: Date;
  readonly id: string;
}
export interface AuditRow {
  readonly id: string;
  readonly occurred_at: Date;
  readonly action: string;
  readonly actor_id: string | null;
  readonly actor_kind: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before_json: string;
  readonly after_json: string;
  readonly request_id: string;
  readonly address: string;
}

// The expression of the index audit_records_words; the planner uses the index for this text only.
const words = raw(
  `audit_words("action" || ' ' || "subject_kind" || ' ' || "subject_id" || ' ' || "before_json" || ' ' || "after_json" || ' ' || "request_id" || ' ' || "address")`,
);

function conditions(filter: AuditFilter): Sql[] {
  const { actorId, action, subjectId, from, to } = filter;
  const where: Sql[] = [];
  if (actorId !== '') where.push(sql`actor_id = ${actorId}::uuid`);
  if (action !== '') where.push(sql`action = ${action}`);
  if (subjectId !== '') where.push(sql`subject_id = ${subjectId}`);
  if (from) where.push(sql`occurred_at >= ${from}`);
  if (to) where.push(sql`occurred_at <= ${to}`);
  if (filter.words.length > 0) {
    const query = filter.words.map((word) => `'${word}':*`).join(' & ');
    where.push(sql`${words} @@ ${query}::tsquery`);
  }
  return where;
}

function whereAll(conditions: Sql[]): Sql {
  return conditions.length === 0 ? empty : sql`WHERE ${join(conditions, ' AND ')}`;
}

export const countRecords = (pool: pg.Pool, filter: AuditFilter): Promise<number> =>
  countRows(pool, sql`SELECT count(*)::int AS total FROM audit_records ${whereAll(conditions(filter))}`);

const columns = raw(
  'id, occurred_at, action, actor_id, actor_kind, subject_kind, subject_id, before_json, after_json, request_id, address',
);
const manyMatches = 10_000;

/**
 * Returns records, newest first, from the cursor or from the offset. `matches`: how many records a search for words finds.
 * PostgreSQL does not know how rare words are and would scan from the newest record on: 11 s for rare words in two million
 * records. Therefore a search with fewer than `manyMatches` matches reads all of them from the index of words and sorts them;
 * with more, the scan finds the newest ones soon.
 */
export async function findRecords(
  pool: pg.Pool,
  filter: AuditFilter,
  range: { readonly after?: AuditCursor | undefined; readonly offset: number; readonly limit: number },
  matches: number | undefined,
): Promise<AuditRow[]> {
  const { after, limit } = range;
  const found = sql`SELECT ${columns} FROM audit_records ${whereAll(conditions(filter))}`;
  const readAllMatches = matches !== undefined && matches < manyMatches;
  const materialized = raw(readAllMatches ? 'MATERIALIZED' : 'NOT MATERIALIZED');
  const rest = after ? sql`WHERE (occurred_at, id) < (${after.at}, ${after.id}::uuid)` : empty;
  const { rows } = await pool.query<AuditRow>(
    sql`WITH found AS ${materialized} (${found}) SELECT ${columns} FROM found ${rest} ORDER BY occurred_at DESC, id DESC
      LIMIT ${limit} OFFSET ${after ? 0 : range.offset}`,
  );
  return rows;
}
