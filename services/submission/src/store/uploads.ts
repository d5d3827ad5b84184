import { sql } from '@husky/runtime/sql';
import type pg from 'pg';
import { dayMs, type Quota, type QuotaUse } from '../domain/quota.ts';

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
