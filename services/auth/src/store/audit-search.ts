import type pg from 'pg';

export interface AuditFilter {
  readonly actorId: string;
  readonly action: string;
  readonly subjectId: string;
  readonly words: readonly string[];
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}
export interface AuditPosition {
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

// As in the index of the migration.
const wordsSql = `audit_words("action" || ' ' || "subject_kind" || ' ' || "subject_id" || ' ' || "before_json" || ' ' || "after_json" || ' ' || "request_id" || ' ' || "address")`;

function conditions(filter: AuditFilter): { where: string[]; values: unknown[] } {
  const where: string[] = [];
  const values: unknown[] = [];
  const add = (sql: string, value: unknown) => {
    values.push(value);
    where.push(sql.replace('?', `$${values.length}`));
  };
  if (filter.actorId !== '') add('actor_id = ?::uuid', filter.actorId);
  if (filter.action !== '') add('action = ?', filter.action);
  if (filter.subjectId !== '') add('subject_id = ?', filter.subjectId);
  if (filter.from) add('occurred_at >= ?', filter.from);
  if (filter.to) add('occurred_at <= ?', filter.to);
  if (filter.words.length > 0) {
    add(`${wordsSql} @@ ?::tsquery`, filter.words.map((word) => `'${word}':*`).join(' & '));
  }
  return { where, values };
}

const textOf = (where: readonly string[]) => (where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`);

export async function countRecords(pool: pg.Pool, filter: AuditFilter): Promise<number> {
  const { where, values } = conditions(filter);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int FROM audit_records ${textOf(where)}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** Newest first; from behind a position, or by offset. */
export async function findRecords(
  pool: pg.Pool,
  filter: AuditFilter,
  range: { readonly after?: AuditPosition | undefined; readonly offset: number; readonly limit: number },
): Promise<AuditRow[]> {
  const { where, values } = conditions(filter);
  if (range.after) {
    values.push(range.after.at, range.after.id);
    where.push(`(occurred_at, id) < ($${values.length - 1}, $${values.length}::uuid)`);
  }
  const { rows } = await pool.query<AuditRow>(
    `SELECT * FROM audit_records ${textOf(where)} ORDER BY occurred_at DESC, id DESC
     LIMIT ${Math.trunc(range.limit)} OFFSET ${Math.trunc(range.after ? 0 : range.offset)}`,
    values,
  );
  return rows;
}
