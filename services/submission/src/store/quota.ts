import type { SettingsChanged__Output } from '@husky/contracts/types/events/v1/SettingsChanged';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { dayMs, type Quota, type QuotaUse } from '../domain/bot-files.ts';

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

/**
 * Stores the freeze and the quotas of the event, which simulation owns; a quota of 0 is not set. Versions make messages idempotent and their
 * order irrelevant: an older version than the stored one has no effect.
 */
export async function saveEventSettings(
  pool: pg.Pool,
  settings: Pick<SettingsChanged__Output, 'version' | 'frozen'> & Partial<Quota>,
): Promise<void> {
  const { version, frozen, maxSubmissions = 0, maxUploadsADay = 0 } = settings;
  await pool.query(
    sql`UPDATE event_settings SET frozen = ${frozen}, version = ${version},
          max_submissions = nullif(${maxSubmissions}::int, 0), max_uploads_a_day = nullif(${maxUploadsADay}::int, 0)
        WHERE version < ${version}`,
  );
}

/** Stores the quota of one user; null: the event's applies. A deleted user has none. */
export async function saveUserQuota(
  pool: pg.Pool,
  userId: string,
  version: number,
  own: { readonly [K in keyof Quota]: number | null },
): Promise<void> {
  await pool.query(
    sql`INSERT INTO user_quotas (user_id, version, max_submissions, max_uploads_a_day)
        SELECT id, ${version}::int, ${own.maxSubmissions}::int, ${own.maxUploadsADay}::int
        FROM (SELECT ${userId}::uuid AS id) AS one WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = id)
        ON CONFLICT (user_id) DO UPDATE SET version = excluded.version, max_submissions = excluded.max_submissions,
          max_uploads_a_day = excluded.max_uploads_a_day
        WHERE user_quotas.version < excluded.version`,
  );
}

/** Throws FAILED_PRECONDITION while the event is frozen. */
export async function refuseWhenFrozen(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ frozen: boolean }>(sql`SELECT frozen FROM event_settings WHERE id = 1`);
  if (rows[0]?.frozen)
    throw new DomainError('FAILED_PRECONDITION', 'frozen', 'Submissions are frozen by the organisers.');
}
