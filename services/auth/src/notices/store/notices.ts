import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { batchGatherMs, type NewNotice, noticeKeepDays, noticePauseMs } from '../domain/notice.ts';
import type { NoticesHost } from '../host.ts';

interface Waiting {
  readonly user_id: string;
  readonly kind: string;
  readonly batch_id: string | null;
  readonly public_only: boolean;
}

/**
 * Adds notices for verified users who have not opted out, and schedules their mails. Idempotent: deduplicated by user,
 * kind and key. Skips deleted jobs. Applies a change of visibility that arrived before the notice.
 */
export async function addNotices(host: NoticesHost, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const users = await host.usersById([...new Set(notices.map(({ userId }) => userId))]);
  const deliverable = notices.filter(({ userId }) => {
    const user = users.get(userId);
    return user?.verified && !user.deleted && !user.house;
  });
  if (deliverable.length === 0) return;
  const now = host.now();
  const rowsJson = JSON.stringify(
    deliverable.map((notice) => ({
      user_id: notice.userId,
      kind: notice.kind,
      key: notice.key,
      data: notice.data,
      job_id: notice.jobId ?? null,
      batch_id: notice.batchId ?? null,
      public_only: notice.publicOnly ?? false,
      held: notice.held ?? false,
    })),
  );
  await inTransaction(host.pool, async (client) => {
    const { rows } = await client.query<Waiting & { held: boolean }>(
      sql`INSERT INTO notices (user_id, kind, key, data, job_id, batch_id, public_only, held, created_at)
        SELECT n.user_id, n.kind, n.key, n.data, n.job_id, n.batch_id, n.public_only,
          CASE WHEN n.public_only THEN coalesce(changed.held, n.held) ELSE n.held END, ${now}::timestamptz
        FROM jsonb_to_recordset(${rowsJson}::jsonb) AS n(user_id uuid, kind text, key text, data jsonb, job_id uuid,
          batch_id uuid, public_only boolean, held boolean)
        LEFT JOIN LATERAL (SELECT held FROM notice_subjects WHERE id IN (n.job_id, n.batch_id) AND held IS NOT NULL
          ORDER BY changed_at DESC LIMIT 1) AS changed ON true
        WHERE NOT EXISTS (SELECT FROM notice_subjects WHERE id = n.job_id AND deleted) AND NOT EXISTS (
          SELECT FROM notice_preferences p WHERE p.user_id = n.user_id AND p.kind = n.kind AND NOT p.enabled)
        ORDER BY n.user_id, n.kind
        ON CONFLICT (user_id, kind, key) DO NOTHING
        RETURNING user_id, kind, batch_id, public_only, held`,
    );
    const ready = rows.filter((row) => !row.held);
    const { gathered = [], immediate = [] } = Object.groupBy(ready, (row) =>
      row.public_only && row.batch_id !== null ? 'gathered' : 'immediate',
    );
    await schedule(client, immediate, now);
    await schedule(client, gathered, new Date(now.getTime() + batchGatherMs));
  });
}

/** Schedules a mail for each user and kind at `at` or earlier, but not within the pause after the last mail. */
async function schedule(client: pg.ClientBase, waiting: readonly Waiting[], at: Date): Promise<void> {
  const groups = new Map(waiting.map((row) => [`${row.user_id} ${row.kind}`, row]));
  if (groups.size === 0) return;
  // Queue rows are locked in one order, so that concurrent calls cannot deadlock.
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const userIds = rows.map((row) => row.user_id);
  const kinds = rows.map((row) => row.kind);
  await client.query(
    sql`INSERT INTO notice_queues (user_id, kind, due_at)
      SELECT user_id, kind, ${at}::timestamptz FROM unnest(${userIds}::uuid[], ${kinds}::text[]) AS g(user_id, kind)
      ON CONFLICT (user_id, kind) DO UPDATE SET due_at = CASE
        WHEN notice_queues.mail_id IS NOT NULL THEN notice_queues.due_at
        ELSE least(
          notice_queues.due_at,
          greatest(excluded.due_at, notice_queues.last_sent_at + ${noticePauseMs} * interval '1 ms')) END`,
  );
}

/** Schedules the gathered notices of a batch that has ended. */
export async function scheduleBatchNow(pool: pg.Pool, batchId: string, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Waiting>(
      sql`SELECT DISTINCT user_id, kind, batch_id, public_only FROM notices
        WHERE batch_id = ${batchId} AND outcome = 'waiting' AND NOT held AND mail_id IS NULL`,
    );
    await schedule(client, rows, now);
  });
}

type MatchOrBatch = { readonly jobId: string } | { readonly batchId: string };

/**
 * Holds the public-only notices of a match or a batch, or releases and schedules them. A change that is older than the stored one has no
 * effect.
 */
export function setHeld(
  pool: pg.Pool,
  target: MatchOrBatch,
  { held, changedAt }: { readonly held: boolean; readonly changedAt: Date },
  now: Date,
): Promise<void> {
  const id = 'jobId' in target ? target.jobId : target.batchId;
  const match = 'jobId' in target ? sql`job_id = ${target.jobId}` : sql`batch_id = ${target.batchId}`;
  return inTransaction(pool, async (client) => {
    const { rowCount: isNewest } = await client.query(
      sql`INSERT INTO notice_subjects (id, held, changed_at, created_at) VALUES (${id}, ${held}, ${changedAt}, ${now})
        ON CONFLICT (id) DO UPDATE SET held = excluded.held, changed_at = excluded.changed_at
        WHERE notice_subjects.changed_at IS NULL OR notice_subjects.changed_at < excluded.changed_at`,
    );
    if (!isNewest) return;
    const { rows } = await client.query<Waiting>(
      sql`UPDATE notices SET held = ${held}
        WHERE ${match} AND outcome = 'waiting' AND public_only AND held <> ${held} AND mail_id IS NULL
        RETURNING user_id, kind, batch_id, public_only`,
    );
    if (!held) await schedule(client, rows, now);
  });
}

/** Drops the waiting notices of a deleted job. Later ones are not added. */
export async function dropJobNotices(pool: pg.Pool, jobId: string, now: Date): Promise<void> {
  await pool.query(
    sql`INSERT INTO notice_subjects (id, deleted, created_at) VALUES (${jobId}, true, ${now})
      ON CONFLICT (id) DO UPDATE SET deleted = true`,
  );
  await pool.query(
    sql`UPDATE notices SET outcome = 'dropped', ended_at = ${now}
      WHERE job_id = ${jobId} AND outcome = 'waiting' AND mail_id IS NULL`,
  );
}

/** Deletes everything that the module stores about a user. */
export async function deleteUserNotices(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(sql`DELETE FROM notice_queues WHERE user_id = ${userId}`);
  await pool.query(sql`DELETE FROM notices WHERE user_id = ${userId}`);
  await pool.query(sql`DELETE FROM notice_preferences WHERE user_id = ${userId}`);
}

/** Deletes notices older than `noticeKeepDays`. */
export async function deleteOldNotices(pool: pg.Pool, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - noticeKeepDays * 24 * 3_600_000);
  await pool.query(sql`DELETE FROM notices WHERE created_at < ${oldest}`);
  await pool.query(sql`DELETE FROM notice_subjects WHERE created_at < ${oldest}`);
}
