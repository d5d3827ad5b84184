import { randomUUID } from 'node:crypto';
import { entriesChanged } from '@husky/contracts/events';
import { at, sql } from '@husky/runtime/database/sql';
import { onConnection } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import { emit } from '@husky/runtime/messages/outbox';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import type pg from 'pg';
import { standingTag } from '../domain/entry-rules.ts';
import { alreadyApplied, notApplied, type UserDelta } from '../domain/job-deltas.ts';
import type { Entry } from '../generated/client.ts';
import { type EntryRow, entriesLock, entryColumns, entryOf } from './entries.ts';

export async function isApplied(client: pg.PoolClient, jobId: string): Promise<boolean> {
  const { rowCount } = await client.query(sql`SELECT 1 FROM applied_jobs WHERE job_id = ${jobId}`);
  return (rowCount ?? 0) > 0;
}

/** Returns those of the ids that are on the 2025 leaderboard. */
export async function appliedAmong(pool: pg.Pool, jobIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ job_id: string }>(
    sql`SELECT job_id FROM applied_jobs WHERE job_id = ANY(${jobIds})`,
  );
  return rows.map((row) => row.job_id);
}

/** Returns all jobs that are on the 2025 leaderboard. */
export async function appliedJobs(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ job_id: string }>('SELECT job_id FROM applied_jobs ORDER BY job_id');
  return rows.map((row) => row.job_id);
}

/**
 * Adds each delta to its user's 2025 entry, in one transaction. FAILED_PRECONDITION when the job is applied already. Deleted
 * users get no entry.
 */
export function applyDeltas(
  client: pg.PoolClient,
  job: { readonly id: string; readonly appliedBy: UserCaller; readonly deltas: readonly UserDelta[] },
  now: number,
): Promise<{ updated: Entry[]; created: Entry[] }> {
  return onConnection(client, async () => {
    await client.query(entriesLock);
    const inserted = await client.query(
      sql`INSERT INTO applied_jobs (job_id, applied_by, applied_at) VALUES (${job.id}, ${job.appliedBy.id}, ${at(now)})
          ON CONFLICT DO NOTHING`,
    );
    if (inserted.rowCount === 0) throw alreadyApplied();
    const updated: Entry[] = [];
    const created: Entry[] = [];
    for (const { userId, deltaCents } of job.deltas) {
      const { rows } = await client.query<EntryRow & { is_new: boolean }>(
        sql`INSERT INTO entries (id, user_id, score_cents, tag, applied_jobs, created_at, result_at)
            SELECT ${randomUUID()}, ${userId}, ${deltaCents}, ${standingTag}, 1, ${at(now)}, ${at(now)}
            WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = ${userId})
            ON CONFLICT (user_id) WHERE tag = '2025' DO UPDATE
              SET score_cents = entries.score_cents + EXCLUDED.score_cents, applied_jobs = entries.applied_jobs + 1,
                result_at = EXCLUDED.result_at
            RETURNING ${entryColumns}, (xmax = 0) AS is_new`,
      );
      const [row] = rows;
      await client.query(
        sql`INSERT INTO applied_deltas (job_id, user_id, delta_cents, entry_id)
            VALUES (${job.id}, ${userId}, ${deltaCents}, ${row?.id ?? null})`,
      );
      if (row) (row.is_new ? created : updated).push(entryOf(row));
    }
    await emitStandingChanged(
      client,
      [...updated, ...created].map((entry) => entry.userId),
    );
    await markHoldSettled(client, 'job', job.id);
    const after = Object.fromEntries(job.deltas.map(({ userId, deltaCents }) => [userId, deltaCents / 100]));
    const entry = { action: 'job.added_to_2025', subjectKind: 'job', subjectId: job.id, after };
    await emitAudit(client, 'leaderboard', job.appliedBy, entry);
    return { updated, created };
  });
}

/**
 * Subtracts a job's deltas from the entries that they were added to, in one transaction. Deletes entries without a remaining
 * job; skips users whose entry an admin has removed since. FAILED_PRECONDITION when the job is not applied.
 */
export function unapplyDeltas(
  client: pg.PoolClient,
  jobId: string,
  caller: UserCaller,
  now: number,
): Promise<{ updated: Entry[]; skippedUserIds: string[] }> {
  return onConnection(client, async () => {
    await client.query(entriesLock);
    const { rows: deltas } = await client.query<{ user_id: string; entry_id: string | null; delta_cents: string }>(
      sql`SELECT user_id, entry_id, delta_cents FROM applied_deltas WHERE job_id = ${jobId} ORDER BY user_id`,
    );
    const { rows } = await client.query<EntryRow>(
      sql`UPDATE entries SET score_cents = entries.score_cents - d.delta_cents, applied_jobs = entries.applied_jobs - 1
          FROM applied_deltas d WHERE d.job_id = ${jobId} AND d.entry_id = entries.id RETURNING ${entryColumns}`,
    );
    const removed = await client.query(sql`DELETE FROM applied_jobs WHERE job_id = ${jobId}`);
    if (removed.rowCount === 0) throw notApplied();
    const empty = rows.filter((row) => row.appliedJobs === 0).map((row) => row.id);
    await client.query(sql`DELETE FROM entries WHERE id = ANY(${empty})`);
    await markHoldUnsettled(client, 'job', jobId, now);
    const before = Object.fromEntries(deltas.map((row) => [row.user_id, Number(row.delta_cents) / 100]));
    const entry = { action: 'job.removed_from_2025', subjectKind: 'job', subjectId: jobId, before };
    await emitAudit(client, 'leaderboard', caller, entry);
    const updated = rows.map(entryOf).sort((a, b) => (a.userId < b.userId ? -1 : 1));
    await emitStandingChanged(
      client,
      updated.map((entry) => entry.userId),
    );
    return { updated, skippedUserIds: deltas.filter((row) => row.entry_id === null).map((row) => row.user_id) };
  });
}

async function emitStandingChanged(client: pg.PoolClient, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await emit(client, entriesChanged, { userIds: [...userIds], tags: [standingTag] });
}

/**
 * Serializes the application and removal of one job over all replicas by an advisory lock, including the calls to simulation: a
 * late release could otherwise undo the hold of a newer application. `work` gets the connection that has the lock.
 */
export function withJobLock<T>(pool: pg.Pool, jobId: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return withLock(pool, `husky.leaderboard.job.${jobId}`, work);
}

/** Does the same as `withJobLock` for a batch. */
export function withBatchLock<T>(
  pool: pg.Pool,
  batchId: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return withLock(pool, `husky.leaderboard.batch.${batchId}`, work);
}

async function withLock<T>(pool: pg.Pool, name: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(sql`SELECT pg_advisory_lock(hashtextextended(${name}, 0))`);
    try {
      return await work(client);
    } finally {
      await client.query(sql`SELECT pg_advisory_unlock(hashtextextended(${name}, 0))`).catch(() => {
        // A connection that cannot unlock must not return to the pool with its lock.
        broken = true;
      });
    }
  } finally {
    client.release(broken);
  }
}

const tables = {
  job: { table: sql`unsettled_holds`, id: sql`job_id` },
  batch: { table: sql`unsettled_batch_holds`, id: sql`batch_id` },
} as const;

type Kind = keyof typeof tables;

/** Marks a hold at simulation as about to change. Until it is settled, the sweeper corrects it after a crash. */
export async function markHoldUnsettled(client: pg.PoolClient, kind: Kind, heldId: string, now: number): Promise<void> {
  const { table, id } = tables[kind];
  await client.query(
    sql`INSERT INTO ${table} (${id}, since) VALUES (${heldId}, ${at(now)})
        ON CONFLICT (${id}) DO UPDATE SET since = EXCLUDED.since`,
  );
}

export async function markHoldSettled(client: pg.PoolClient, kind: Kind, heldId: string): Promise<void> {
  const { table, id } = tables[kind];
  await client.query(sql`DELETE FROM ${table} WHERE ${id} = ${heldId}`);
}

/** Returns at most 100 ids of holds that have been unsettled since `before`, oldest first. */
export async function unsettledHolds(pool: pg.Pool, kind: Kind, before: number): Promise<string[]> {
  const { table, id } = tables[kind];
  const { rows } = await pool.query<{ id: string }>(
    sql`SELECT ${id} AS id FROM ${table} WHERE since <= ${at(before)} ORDER BY since LIMIT 100`,
  );
  return rows.map((row) => row.id);
}
