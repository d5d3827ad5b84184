import { randomUUID } from 'node:crypto';
import { at, ids, type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { batchState } from '../domain/batch-state.ts';
import { jobNotFound } from '../domain/job.ts';
import { jobState, unfinishedStates } from '../domain/job-state.ts';
import type { AuditWriter } from './audit.ts';
import { changeJob, lockJob } from './job-changes.ts';
import { writeJobsDeleted } from './job-ended.ts';
import { isUnlistedKind } from './queue.ts';
import { scheduleStopRule } from './stop-rules.ts';

export const jobHeld = () =>
  new DomainError('ABORTED', 'job-held', 'This job is on a leaderboard. Remove it there first.');
export const batchHeld = () =>
  new DomainError('ABORTED', 'batch-held', 'This batch is on the leaderboard. Remove it there first.');

/** Who deletes a match: a user, or an admin with its whole batch. */
export type DeletedBy = 'owner' | 'admin' | 'batch';

/** Stores what remains of matches (`j`) that are being deleted. The plans of matches without a batch go with them. */
async function rememberDeletion(client: pg.ClientBase, where: Sql, by: DeletedBy, now: number): Promise<void> {
  await client.query(
    sql`INSERT INTO deleted_matches (job_hash, batch_id, game_number, deal_set_id, rotation, commitment, commitment_number,
          played, cause, deleted_at)
        SELECT encode(sha256(convert_to(j.id::text, 'UTF8')), 'hex'), j.batch_id, j.game_number,
          CASE WHEN j.rotation IS NOT NULL THEN j.deal_set_id END, j.rotation, j.commitment, j.commitment_number,
          j.state = ${jobState.finished},
          CASE WHEN EXISTS (SELECT FROM deleted_users u WHERE u.user_id = j.owner_id
                              OR u.user_id IN (SELECT s.user_id FROM job_seats s WHERE s.job_id = j.id))
            THEN 'account' ELSE ${by} END, ${at(now)}
        FROM jobs j WHERE ${where} AND j.kind <> 'TEST_RUN' AND NOT ${isUnlistedKind(sql`j.kind`)}
        ON CONFLICT DO NOTHING`,
  );
}

/** Stores what remains of the played matches of a batch that is being deleted, before their states change. */
export function rememberPlayedOf(client: pg.ClientBase, batchId: string, now: number): Promise<void> {
  return rememberDeletion(client, sql`j.batch_id = ${batchId} AND j.state = ${jobState.finished}`, 'batch', now);
}

/**
 * Begins a deletion: hides the job from every reader. Returns whether the job was unfinished. Throws NOT_FOUND, or ABORTED while
 * the job or its batch is held.
 */
export function beginDeletion(
  pool: pg.Pool,
  jobId: string,
  { by, now, writeAudit }: { readonly by: DeletedBy; readonly now: number; readonly writeAudit: AuditWriter },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (!job || job.state === jobState.deleting) throw jobNotFound();
    if (job.held) throw jobHeld();
    if (job.batchHeld) throw batchHeld();
    await rememberDeletion(client, sql`j.id = ${jobId}`, by, now);
    await changeJob(client, job, 'deleted', { now, cause: 'deleted' });
    if (job.batchId !== null) await scheduleStopRule(client, job.batchId, now);
    await writeAudit(client);
    return unfinishedStates.includes(job.state);
  });
}

/** Deletes a hidden job. Call it after live-data has deleted the match. Idempotent. */
export function finishDeletion(pool: pg.Pool, jobId: string, now: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (job?.state !== jobState.deleting) return;
    const { rows } = await client.query<DeletedJob>(
      sql`DELETE FROM jobs WHERE id = ${jobId} RETURNING ${deletedColumns}`,
    );
    await deleteUnusedDealSets(client, rows);
    await changeJob(client, job, 'purged', { now, reason: 'deleted' });
  });
}

/**
 * Deletes jobs of a batch that is being deleted, in one transaction, and publishes job_ended for each. The batch's pins are
 * released by finishBatchDeletion, so no event is marked as the holder's last one. Idempotent.
 */
export function finishBatchJobs(pool: pg.Pool, batchId: string, jobIds: readonly string[]): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(sql`SELECT FROM batches WHERE id = ${batchId} FOR UPDATE`);
    const { rows } = await client.query<DeletedJob>(
      sql`DELETE FROM jobs WHERE id = ANY (${ids(jobIds)}) AND batch_id = ${batchId} AND state = ${jobState.deleting}
          RETURNING ${deletedColumns}`,
    );
    await deleteUnusedDealSets(client, rows);
    await writeJobsDeleted(
      client,
      rows.map(({ jobId, ownerId }) => ({ jobId, ownerId, holderId: batchId })),
    );
  });
}

interface DeletedJob {
  readonly jobId: string;
  readonly ownerId: string;
  readonly dealSetId: string;
}

const deletedColumns = sql`id AS "jobId", owner_id AS "ownerId", deal_set_id AS "dealSetId"`;

/** Deletes deal sets without matches, and plans of matches or deal sets without matches. */
async function deleteUnusedDealSets(client: pg.ClientBase, jobs: readonly DeletedJob[]): Promise<void> {
  await client.query(
    sql`DELETE FROM deal_sets d WHERE id = ANY (${ids(jobs.map((job) => job.dealSetId))})
          AND NOT EXISTS (SELECT FROM jobs j WHERE j.deal_set_id = d.id)`,
  );
  await client.query(
    sql`DELETE FROM plans p WHERE id = ANY (${ids(jobs.flatMap((job) => [job.jobId, job.dealSetId]))})
          AND NOT EXISTS (SELECT FROM jobs j WHERE j.holder_id = p.id)`,
  );
}

/** Returns jobs to purge, those of `failedIds` last, except jobs of deleted batches, which the batch worker purges. */
export function jobsToPurge(pool: pg.Pool, limit: number, failedIds: readonly string[]): Promise<string[]> {
  const source = sql`FROM jobs j LEFT JOIN batches b ON b.id = j.batch_id
    WHERE j.state = ${jobState.deleting} AND b.state IS DISTINCT FROM ${batchState.deleting}`;
  return takeSome(pool, source, limit, failedIds);
}

/** Returns jobs of a batch to purge, those of `failedIds` last. */
export function batchJobsToPurge(
  pool: pg.Pool,
  batchId: string,
  limit: number,
  failedIds: readonly string[],
): Promise<string[]> {
  const source = sql`FROM jobs j WHERE j.batch_id = ${batchId} AND j.state = ${jobState.deleting}`;
  return takeSome(pool, source, limit, failedIds);
}

/**
 * Returns jobs (`j`) in the order of their ids, which are random, from a random one on; failed ones last. So the same jobs do not fail
 * first in each step, and replicas mostly take different ones. Reads no more rows than it returns.
 */
async function takeSome(pool: pg.Pool, source: Sql, limit: number, failedIds: readonly string[]): Promise<string[]> {
  const start = randomUUID();
  const failed = sql`ANY (${ids(failedIds)})`;
  const { rows } = await pool.query<{ id: string }>(
    sql`(SELECT j.id ${source} AND j.id >= ${start} AND NOT j.id = ${failed} ORDER BY j.id LIMIT ${limit})
        UNION ALL (SELECT j.id ${source} AND j.id < ${start} AND NOT j.id = ${failed} ORDER BY j.id LIMIT ${limit})
        UNION ALL (SELECT j.id ${source} AND j.id = ${failed} LIMIT ${limit})
        LIMIT ${limit}`,
  );
  return rows.map((row) => row.id);
}
