import type pg from 'pg';
import { Prisma } from '../../generated/client.ts';

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
const words = Prisma.raw(
  `audit_words("action" || ' ' || "subject_kind" || ' ' || "subject_id" || ' ' || "before_json" || ' ' || "after_json" || ' ' || "request_id" || ' ' || "address")`,
);

function conditions(filter: AuditFilter): Prisma.Sql[] {
  const { actorId, action, subjectId, from, to } = filter;
  const where: Prisma.Sql[] = [];
  if (actorId !== '') where.push(Prisma.sql`actor_id = ${actorId}::uuid`);
  if (action !== '') where.push(Prisma.sql`action = ${action}`);
  if (subjectId !== '') where.push(Prisma.sql`subject_id = ${subjectId}`);
  if (from) where.push(Prisma.sql`occurred_at >= ${from}`);
  if (to) where.push(Prisma.sql`occurred_at <= ${to}`);
  if (filter.words.length > 0) {
    const query = filter.words.map((word) => `'${word}':*`).join(' & ');
    where.push(Prisma.sql`${words} @@ ${query}::tsquery`);
  }
  return where;
}

function whereAll(conditions: Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}`;
}

export async function countRecords(pool: pg.Pool, filter: AuditFilter): Promise<number> {
  const query = Prisma.sql`SELECT count(*)::int FROM audit_records ${whereAll(conditions(filter))}`;
  const { rows } = await pool.query<{ count: number }>(query);
  return rows[0]?.count ?? 0;
}

/** Returns records, newest first: those after the cursor, or without one from the offset on. */
export async function findRecords(
  pool: pg.Pool,
  filter: AuditFilter,
  range: { readonly after?: AuditCursor | undefined; readonly offset: number; readonly limit: number },
): Promise<AuditRow[]> {
  const { after, limit } = range;
  const where = conditions(filter);
  if (after) where.push(Prisma.sql`(occurred_at, id) < (${after.at}, ${after.id}::uuid)`);
  const { rows } = await pool.query<AuditRow>(
    Prisma.sql`SELECT id, occurred_at, action, actor_id, actor_kind, subject_kind, subject_id, before_json, after_json, request_id, address
      FROM audit_records ${whereAll(where)} ORDER BY occurred_at DESC, id DESC
      LIMIT ${limit} OFFSET ${after ? 0 : range.offset}`,
  );
  return rows;
}
