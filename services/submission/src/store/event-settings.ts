import type { SettingsChanged__Output } from '@husky/contracts/types/events/v1/SettingsChanged';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { Quota } from '../domain/quota.ts';

// Mirror of the settings and quotas that simulation owns. Versions make messages idempotent and their order irrelevant: an older
// version than the stored one has no effect.

/** Stores the freeze and the quotas of the event; a quota of 0 is not set. */
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
  if (rows[0]?.frozen) {
    throw new DomainError('FAILED_PRECONDITION', 'frozen', 'Submissions are frozen by the organisers.');
  }
}
