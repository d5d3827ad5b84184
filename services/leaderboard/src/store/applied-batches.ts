import { entriesChanged } from '@husky/contracts/events';
import { at, json, raw, sql } from '@husky/runtime/database/sql';
import { onConnection } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import { emit } from '@husky/runtime/messages/outbox';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import type pg from 'pg';
import { batchTag } from '../domain/entry-rules.ts';
import type { BatchJobDelta } from '../domain/job-deltas.ts';
import { entriesLock } from './entries.ts';

/** Returns the number of applied jobs of a batch. */
export async function countApplied(client: pg.Pool | pg.PoolClient, batchId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    sql`SELECT count(*)::int FROM applied_batch_jobs WHERE batch_id = ${batchId}`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns all batches with applied jobs. */
export async function appliedBatches(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ batch_id: string }>(
    'SELECT DISTINCT batch_id FROM applied_batch_jobs ORDER BY batch_id',
  );
  return rows.map((row) => row.batch_id);
}

export interface Addition {
  readonly jobs: number;
  readonly created: readonly string[];
  readonly updated: readonly string[];
}

/**
 * Adds jobs of a batch to their players' entries, in one transaction. Idempotent: applied jobs are skipped, even by
 * concurrent calls. Deleted users get no entry.
 */
export function addBatchJobs(
  client: pg.PoolClient,
  batch: { readonly id: string; readonly by: UserCaller },
  deltas: readonly BatchJobDelta[],
  now: number,
): Promise<Addition> {
  return onConnection(client, async () => {
    await client.query(entriesLock);
    const given = deltas.map((d) => ({ j: d.jobId, g: d.gameNumber, u: d.userId, d: d.deltaCents }));
    const { rows } = await client.query<{ user_id: string; is_new: boolean; jobs: number }>(
      addition(batch.id, given, now),
    );
    await emitEntriesChanged(
      client,
      rows.filter((row) => row.user_id !== null).map((row) => row.user_id),
    );
    const users = (isNew: boolean) => rows.filter((row) => row.is_new === isNew).map((row) => row.user_id);
    const jobs = rows[0]?.jobs ?? 0;
    if (jobs > 0) {
      const entry = {
        action: 'batch.added_to_leaderboard',
        subjectKind: 'batch',
        subjectId: batch.id,
        after: { jobs },
      };
      await emitAudit(client, 'leaderboard', batch.by, entry);
    }
    return { jobs, created: users(true), updated: users(false) };
  });
}

// Text, not a parameter: PostgreSQL finds the partial index by it.
const batchTagText = raw(`'${batchTag}'`);

// One statement, so that exactly the deltas of newly inserted jobs are added. The last row exists even when no user has an entry.
const addition = (batchId: string, given: readonly object[], now: number) => sql`
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(${json(given)}) AS r(j uuid, g int, u uuid, d bigint)
  ), fresh AS (
    INSERT INTO applied_batch_jobs (job_id, batch_id, game_number) SELECT DISTINCT j, ${batchId}::uuid, g FROM given
    ON CONFLICT DO NOTHING RETURNING job_id
  ), sums AS (
    SELECT u AS user_id, sum(d)::bigint AS delta_cents, count(*)::int AS jobs,
      EXISTS (SELECT FROM deleted_users x WHERE x.user_id = u) AS deleted
    FROM given JOIN fresh ON job_id = j GROUP BY u
  ), changed AS (
    INSERT INTO entries (id, user_id, score_cents, tag, applied_jobs, created_at, result_at)
    SELECT gen_random_uuid(), user_id, delta_cents, ${batchTag}, jobs, ${at(now)}, ${at(now)} FROM sums WHERE NOT deleted ORDER BY user_id
    ON CONFLICT (user_id) WHERE tag = ${batchTagText} DO UPDATE
      SET score_cents = entries.score_cents + EXCLUDED.score_cents,
        applied_jobs = entries.applied_jobs + EXCLUDED.applied_jobs, result_at = EXCLUDED.result_at
    RETURNING id, user_id, (xmax = 0) AS is_new
  ), recorded AS (
    INSERT INTO batch_deltas (batch_id, user_id, delta_cents, jobs, entry_id)
    SELECT ${batchId}, sums.user_id, delta_cents, jobs, changed.id FROM sums LEFT JOIN changed USING (user_id)
    ON CONFLICT (batch_id, entry_id) DO UPDATE
      SET delta_cents = batch_deltas.delta_cents + EXCLUDED.delta_cents, jobs = batch_deltas.jobs + EXCLUDED.jobs
  )
  SELECT user_id, is_new, (SELECT count(*)::int FROM fresh) AS jobs FROM changed
  UNION ALL SELECT NULL, NULL, (SELECT count(*)::int FROM fresh)`;

export interface Removal {
  readonly jobs: number;
  readonly updated: number;
  readonly removed: number;
  readonly skippedUserIds: readonly string[];
}

/**
 * Subtracts a batch's deltas from the entries that they were added to, in one transaction. Deletes entries without a remaining
 * job; skips users whose entry an admin has removed since. Idempotent.
 */
export function removeBatchJobs(client: pg.PoolClient, batchId: string, by: UserCaller): Promise<Removal> {
  return onConnection(client, async () => {
    await client.query(entriesLock);
    const jobs = await client.query(sql`DELETE FROM applied_batch_jobs WHERE batch_id = ${batchId}`);
    const deltas = await client.query<{ user_id: string; entry_id: string | null }>(
      sql`SELECT user_id, entry_id FROM batch_deltas WHERE batch_id = ${batchId} ORDER BY user_id`,
    );
    const entries = await client.query<{ id: string; user_id: string; applied_jobs: number }>(
      sql`UPDATE entries e SET score_cents = e.score_cents - d.delta_cents, applied_jobs = e.applied_jobs - d.jobs
          FROM batch_deltas d WHERE d.batch_id = ${batchId} AND d.entry_id = e.id RETURNING e.id, e.user_id, e.applied_jobs`,
    );
    await client.query(sql`DELETE FROM batch_deltas WHERE batch_id = ${batchId}`);
    const empty = entries.rows.filter((row) => row.applied_jobs === 0).map((row) => row.id);
    await client.query(sql`DELETE FROM entries WHERE id = ANY(${empty})`);
    await emitEntriesChanged(
      client,
      entries.rows.map((row) => row.user_id),
    );
    if (jobs.rowCount) {
      const before = { jobs: jobs.rowCount };
      const entry = { action: 'batch.removed_from_leaderboard', subjectKind: 'batch', subjectId: batchId, before };
      await emitAudit(client, 'leaderboard', by, entry);
    }
    const skipped = new Set(deltas.rows.filter((row) => row.entry_id === null).map((row) => row.user_id));
    return {
      jobs: jobs.rowCount ?? 0,
      updated: entries.rows.length - empty.length,
      removed: empty.length,
      skippedUserIds: [...skipped],
    };
  });
}

async function emitEntriesChanged(client: pg.PoolClient, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await emit(client, entriesChanged, { userIds: [...userIds], tags: [batchTag] });
}
