import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { dayMs, type Quota, type QuotaUse } from '../domain/quota.ts';

/** Returns the quota of a user: their own overrides the event's, which overrides the configured one. */
export async function effectiveQuota(
  client: pg.Pool | pg.ClientBase,
  userId: string,
  configured: Quota,
): Promise<Quota> {
  const { rows } = await client.query<{ [K in keyof Quota]: number | null }>(
    sql`SELECT coalesce(u.max_submissions, e.max_submissions) AS "maxSubmissions",
          coalesce(u.max_uploads_a_day, e.max_uploads_a_day) AS "maxUploadsADay"
        FROM event_settings e LEFT JOIN user_quotas u ON u.user_id = ${userId} WHERE e.id = 1`,
  );
  return {
    maxSubmissions: rows[0]?.maxSubmissions ?? configured.maxSubmissions,
    maxUploadsADay: rows[0]?.maxUploadsADay ?? configured.maxUploadsADay,
  };
}

/** Reads what a user has used of a quota; deleted uploads of the last 24 hours count too. */
export async function quotaUse(
  client: pg.Pool | pg.ClientBase,
  userId: string,
  { maxUploadsADay }: Quota,
  now: number,
): Promise<QuotaUse> {
  const { rows } = await client.query<{ kept: number; blockingUpload: Date | null }>(
    sql`SELECT (SELECT count(*)::int FROM submissions WHERE user_id = ${userId}) AS kept,
          (SELECT uploaded_at FROM upload_marks WHERE user_id = ${userId} AND uploaded_at > ${new Date(now - dayMs)}
           ORDER BY uploaded_at DESC OFFSET ${Math.max(0, maxUploadsADay - 1)} LIMIT 1) AS "blockingUpload"`,
  );
  return { kept: rows[0]?.kept ?? 0, blockingUpload: rows[0]?.blockingUpload?.getTime() };
}

export async function recordUpload(client: pg.ClientBase, id: string, userId: string, now: number): Promise<void> {
  await client.query(
    sql`INSERT INTO upload_marks (submission_id, user_id, uploaded_at) VALUES (${id}, ${userId}, ${new Date(now)})`,
  );
}

/** Deletes records of uploads that are too old to count towards a quota. */
export async function deleteOldUploads(pool: pg.Pool, now: number): Promise<void> {
  await pool.query(sql`DELETE FROM upload_marks WHERE uploaded_at < ${new Date(now - 2 * dayMs)}`);
}
