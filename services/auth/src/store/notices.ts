import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { batchGatherMs, type NoticeData, type NoticeKind, noticeKeepDays, noticePauseMs } from '../domain/notice.ts';

export interface NewNotice {
  readonly userId: string;
  readonly kind: NoticeKind;
  /** The same thing told again has the same key. */
  readonly key: string;
  readonly data: NoticeData;
  readonly jobId?: string;
  readonly batchId?: string;
  /** Told only while the match is public. */
  readonly publicOnly?: boolean;
  readonly held?: boolean;
}

interface Waiting {
  readonly user_id: string;
  readonly kind: string;
  readonly batch_id: string | null;
  readonly public_only: boolean;
}

/** Adds what is to be told to verified users who want it, each once, and sets when the next mail to them is due. */
export function addNotices(pool: pg.Pool, notices: readonly NewNotice[], now: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Waiting & { held: boolean }>(
      `INSERT INTO notices (user_id, kind, key, data, job_id, batch_id, public_only, held, created_at)
       SELECT n.user_id, n.kind, n.key, n.data, n.job_id, n.batch_id, n.public_only, n.held, $2
       FROM jsonb_to_recordset($1) AS n(user_id uuid, kind text, key text, data jsonb, job_id uuid, batch_id uuid,
         public_only boolean, held boolean)
       JOIN users u ON u.id = n.user_id
       WHERE u.verified AND u.deleted_at IS NULL AND NOT u.house
         AND NOT EXISTS (SELECT FROM notice_preferences p WHERE p.user_id = u.id AND p.kind = n.kind AND NOT p.enabled)
       ORDER BY n.user_id, n.kind
       ON CONFLICT (user_id, kind, key) DO NOTHING
       RETURNING user_id, kind, batch_id, public_only, held`,
      [
        JSON.stringify(
          notices.map((notice) => ({
            ...{ user_id: notice.userId, kind: notice.kind, key: notice.key, data: notice.data },
            ...{ job_id: notice.jobId ?? null, batch_id: notice.batchId ?? null },
            ...{ public_only: notice.publicOnly ?? false, held: notice.held ?? false },
          })),
        ),
        now,
      ],
    );
    const waiting = rows.filter((row) => !row.held);
    const gathered = (row: Waiting) => row.public_only && row.batch_id !== null;
    await schedule(
      client,
      waiting.filter((row) => !gathered(row)),
      now,
    );
    await schedule(client, waiting.filter(gathered), new Date(now.getTime() + batchGatherMs));
  });
}

/** A mail of these kinds is due at `at`, unless one is sooner; never within the pause after the last one. */
async function schedule(client: pg.ClientBase, waiting: readonly Waiting[], at: Date): Promise<void> {
  const groups = new Map(waiting.map((row) => [`${row.user_id} ${row.kind}`, row]));
  if (groups.size === 0) return;
  const rows = [...groups.keys()].sort().map((key) => groups.get(key));
  await client.query(
    `INSERT INTO notice_queues (user_id, kind, due_at)
     SELECT user_id, kind, $3 FROM unnest($1::uuid[], $2::text[]) AS g(user_id, kind)
     ON CONFLICT (user_id, kind) DO UPDATE SET due_at = CASE
       WHEN notice_queues.mail_id IS NOT NULL THEN notice_queues.due_at
       ELSE least(notice_queues.due_at, greatest(excluded.due_at, notice_queues.last_sent_at + $4 * interval '1 ms')) END`,
    [rows.map((row) => row?.user_id), rows.map((row) => row?.kind), at, noticePauseMs],
  );
}

/** A batch is over: what its players wait for need not be gathered any longer. */
export async function hurryBatch(pool: pg.Pool, batchId: string, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Waiting>(
      `SELECT DISTINCT user_id, kind, batch_id, public_only FROM notices
       WHERE batch_id = $1 AND outcome = 'waiting' AND NOT held AND mail_id IS NULL`,
      [batchId],
    );
    await schedule(client, rows, now);
  });
}

export type Published = { readonly jobId: string } | { readonly batchId: string };

/** A match or a batch has become public or private: what depends on it is told now, or held back. */
export function setHeld(pool: pg.Pool, what: Published, held: boolean, now: Date): Promise<void> {
  const [column, id] = 'jobId' in what ? ['job_id', what.jobId] : ['batch_id', what.batchId];
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Waiting>(
      `UPDATE notices SET held = $2
       WHERE ${column} = $1 AND outcome = 'waiting' AND public_only AND held <> $2 AND mail_id IS NULL
       RETURNING user_id, kind, batch_id, public_only`,
      [id, held],
    );
    if (!held) await schedule(client, rows, now);
  });
}

/** The job is gone: nothing of it is told any more. */
export async function dropJob(pool: pg.Pool, jobId: string, now: Date): Promise<void> {
  await pool.query(
    "UPDATE notices SET outcome = 'dropped', ended_at = $2 WHERE job_id = $1 AND outcome = 'waiting' AND mail_id IS NULL",
    [jobId, now],
  );
}

/** Of a deleted user nothing is left. */
export async function forgetUser(pool: pg.Pool, userId: string): Promise<void> {
  for (const table of ['notice_queues', 'notices', 'notice_preferences']) {
    await pool.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  }
}

export async function sweepNotices(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('DELETE FROM notices WHERE created_at < $1', [
    new Date(now.getTime() - noticeKeepDays * 24 * 3_600_000),
  ]);
}
