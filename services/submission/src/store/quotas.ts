import type pg from 'pg';
import { dayMs, type Quota, type QuotaUse } from '../domain/quota.ts';

/** What holds for a user: their own quota before the event's before the configured one. */
export async function quotaOf(client: pg.Pool | pg.ClientBase, userId: string, configured: Quota): Promise<Quota> {
  const { rows } = await client.query<{ [K in keyof Quota]: number | null }>(
    `SELECT coalesce(u.max_submissions, e.max_submissions) AS "maxSubmissions",
       coalesce(u.max_uploads_a_day, e.max_uploads_a_day) AS "maxUploadsADay"
     FROM event_freeze e LEFT JOIN user_quotas u ON u.user_id = $1 WHERE e.id = 1`,
    [userId],
  );
  return {
    maxSubmissions: rows[0]?.maxSubmissions ?? configured.maxSubmissions,
    maxUploadsADay: rows[0]?.maxUploadsADay ?? configured.maxUploadsADay,
  };
}

export async function quotaUse(
  client: pg.Pool | pg.ClientBase,
  userId: string,
  { maxUploadsADay }: Quota,
  now: number,
): Promise<QuotaUse> {
  const { rows } = await client.query<{ kept: number; in_the_way: Date | null }>(
    `SELECT (SELECT count(*)::int FROM submissions WHERE user_id = $1) AS kept,
       (SELECT uploaded_at FROM upload_marks WHERE user_id = $1 AND uploaded_at > $2
        ORDER BY uploaded_at DESC OFFSET $3 LIMIT 1) AS in_the_way`,
    [userId, new Date(now - dayMs), Math.max(0, maxUploadsADay - 1)],
  );
  return { kept: rows[0]?.kept ?? 0, inTheWay: rows[0]?.in_the_way?.getTime() };
}

export async function markUpload(client: pg.ClientBase, id: string, userId: string, now: number): Promise<void> {
  await client.query('INSERT INTO upload_marks (submission_id, user_id, uploaded_at) VALUES ($1, $2, $3)', [
    ...[id, userId, new Date(now)],
  ]);
}

/** Keeps what simulation says of one user, whatever order and number its events come in. */
export async function saveUserQuota(
  pool: pg.Pool,
  userId: string,
  version: number,
  own: { readonly [K in keyof Quota]: number | null },
): Promise<void> {
  await pool.query(
    `INSERT INTO user_quotas (user_id, version, max_submissions, max_uploads_a_day) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET version = $2, max_submissions = $3, max_uploads_a_day = $4
     WHERE user_quotas.version < $2`,
    [userId, version, own.maxSubmissions, own.maxUploadsADay],
  );
}

export async function forgetUploads(pool: pg.Pool, now: number): Promise<void> {
  await pool.query('DELETE FROM upload_marks WHERE uploaded_at < $1', [new Date(now - 2 * dayMs)]);
}
