import { DomainError } from '@husky/runtime/errors';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { unfinishedStates } from '../domain/job.ts';
import { jobNotFound } from '../domain/not-found.ts';
import type { Also } from './also.ts';
import { endAttempt } from './attempts.ts';
import { batchHeld } from './batch-holds.ts';
import { identity } from './endings.ts';
import { lockJob } from './locked-job.ts';
import { writeJobEnded, writeJobsDeleted } from './outbox.ts';

export const jobHeld = () =>
  new DomainError('ABORTED', 'job-held', 'This job is on a leaderboard. Remove it there first.');

/** First step of a deletion: from here on the job is gone for everybody. Answers whether it was cancelled by that. */
export function beginDeletion(pool: pg.Pool, jobId: string, now: number, also: Also): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (!job || job.state === 'DELETING') throw jobNotFound();
    if (job.held) throw jobHeld();
    if (job.batch_held) throw batchHeld();
    await client.query(
      "UPDATE jobs SET state = 'DELETING', runner = NULL, lease_expires_at = NULL, prepare_after = NULL WHERE id = $1",
      [jobId],
    );
    await endAttempt(client, { jobId, attempt: job.attempt }, 'CANCELLED', { cause: 'deleted', suspect: false }, now);
    await also(client);
    return unfinishedStates.includes(job.state);
  });
}

/** Last step, once nobody else holds anything of the job. */
export function finishDeletion(pool: pg.Pool, jobId: string, now: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (job?.state !== 'DELETING') return;
    const deleted = await client.query<{ deal_set_id: string }>(
      'DELETE FROM jobs WHERE id = $1 RETURNING deal_set_id',
      [jobId],
    );
    await client.query(
      'DELETE FROM deal_sets d WHERE id = $1 AND NOT EXISTS (SELECT FROM jobs j WHERE j.deal_set_id = d.id)',
      [deleted.rows[0]?.deal_set_id],
    );
    await writeJobEnded(client, { ...identity(job), status: 'Deleted', reason: 'deleted' }, now);
  });
}

/**
 * Deletes jobs of a batch that is being deleted, in one transaction, and publishes job_ended for each. The batch's pins are
 * released by finishBatchDeletion, so no event is marked as the holder's last one. Idempotent.
 */
export function finishBatchJobs(pool: pg.Pool, batchId: string, jobIds: readonly string[]): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [batchId]);
    const { rows } = await client.query<{ id: string; owner_id: string; deal_set_id: string }>(
      `DELETE FROM jobs WHERE id = ANY ($2::uuid[]) AND batch_id = $1 AND state = 'DELETING'
       RETURNING id, owner_id, deal_set_id`,
      [batchId, jobIds],
    );
    await client.query(
      `DELETE FROM deal_sets d WHERE id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT FROM jobs j WHERE j.deal_set_id = d.id)`,
      [rows.map((row) => row.deal_set_id)],
    );
    await writeJobsDeleted(
      client,
      rows.map((row) => ({ jobId: row.id, ownerId: row.owner_id, holderId: batchId })),
    );
  });
}

/** Of one batch, or of none: a batch's are left to its own worker. */
export async function jobsBeingDeleted(pool: pg.Pool, limit: number, batchId: string | null): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT j.id FROM jobs j LEFT JOIN batches b ON b.id = j.batch_id
     WHERE j.state = 'DELETING'
       AND CASE WHEN $2::uuid IS NULL THEN b.state IS DISTINCT FROM 'DELETING' ELSE j.batch_id = $2 END
     LIMIT $1`,
    [limit, batchId],
  );
  return rows.map((row) => row.id);
}
