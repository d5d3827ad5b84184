import { randomUUID } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { queueCost } from '../domain/job.ts';
import type { AlsoOfBatch } from './also.ts';
import { batchHeld } from './batch-holds.ts';
import { type LockedBatch, lockBatch } from './batches.ts';
import { jobHeld } from './deletion.ts';
import { writeJobsFailed } from './outbox.ts';
import { notifyQueue, reserveTags } from './queue.ts';

const refused = (reason: string, message: string) => new DomainError('FAILED_PRECONDITION', reason, message);
export const batchEnded = () =>
  refused('batch-ended', 'This batch has ended: every match has been played, has failed or was cancelled.');

/** Whether anything of a batch is still to be made or played. */
async function isOpen(client: pg.ClientBase, { id, state }: LockedBatch): Promise<boolean> {
  if (state === 'PREPARING' || state === 'GENERATING') return true;
  const { rowCount } = await client.query(
    "SELECT 1 FROM jobs WHERE batch_id = $1 AND state IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING') LIMIT 1",
    [id],
  );
  return rowCount === 1;
}

/** A paused batch's waiting jobs are not given out; what runs goes on. Refused when it is so already or nothing is open. */
export function pauseBatch(pool: pg.Pool, id: string, paused: boolean, also: AlsoOfBatch): Promise<void> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (!(await isOpen(client, batch))) throw batchEnded();
    if (batch.paused === paused) {
      throw refused('already-so', paused ? 'This batch is paused already.' : 'This batch is not paused.');
    }
    await client.query('UPDATE batches SET paused = $2 WHERE id = $1', [id, paused]);
    const [from, to] = paused ? ['QUEUED', 'PAUSED'] : ['PAUSED', 'QUEUED'];
    await client.query('UPDATE jobs SET state = $3 WHERE batch_id = $1 AND state = $2', [id, from, to]);
    if (!paused) await notifyQueue(client);
    await also(batch)(client);
  });
}

/**
 * Fails every job that has not ended and makes no more; runners learn of it by their next heartbeat. A pause ends with
 * it, so that a retry plays. Answers false, and changes nothing, when nothing is open.
 */
export function cancelBatch(
  pool: pg.Pool,
  id: string,
  message: string,
  now: number,
  also: AlsoOfBatch = () => async () => undefined,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (!(await isOpen(client, batch))) return false;
    await client.query("UPDATE batches SET state = 'CANCELLED', paused = false, work_after = NULL WHERE id = $1", [id]);
    await stopAttempts(client, id, message, now);
    const { rows } = await client.query<{ id: string }>(
      `UPDATE jobs SET state = 'FAILED', error_message = $2, ended_at = $3, runner = NULL, lease_expires_at = NULL,
         seats_running = false
       WHERE batch_id = $1 AND state IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING') RETURNING id`,
      [id, message, new Date(now)],
    );
    await writeJobsFailed(
      client,
      rows.map((row) => row.id),
      { ownerId: batch.owner_id, batchId: id, reason: message },
      now,
    );
    await also(batch)(client);
    return true;
  });
}

/**
 * Queues failed jobs anew, behind what their owner has waiting, and goes on with what was not made or prepared. Refused
 * when there is neither.
 */
export function retryBatch(pool: pg.Pool, id: string, now: number, also: AlsoOfBatch): Promise<void> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    const { rows } = await client.query<{ failed: number }>(
      "SELECT count(*)::int AS failed FROM jobs WHERE batch_id = $1 AND state = 'FAILED'",
      [id],
    );
    const failed = rows[0]?.failed ?? 0;
    if (failed === 0 && batch.state !== 'FAILED' && batch.state !== 'CANCELLED') {
      throw refused('nothing-failed', 'No match of this batch has failed.');
    }
    if (failed > 0) {
      const cost = queueCost(batch.num_rounds);
      const tag = await reserveTags(client, 'BATCH_MATCH', batch.owner_id, cost, failed);
      await client.query(
        `UPDATE jobs SET state = $2, error_message = '', ended_at = NULL, suspect_losses = 0, other_losses = 0,
           queue_tag = $3 + (again.place - 1) * $4::float8
         FROM (SELECT id, row_number() OVER (ORDER BY game_number) AS place FROM jobs WHERE batch_id = $1 AND state = 'FAILED') again
         WHERE jobs.id = again.id`,
        [id, batch.paused ? 'PAUSED' : 'QUEUED', tag, cost],
      );
      await notifyQueue(client);
    }
    const state = batch.state === 'FAILED' ? 'PREPARING' : batch.state === 'CANCELLED' ? resumed(batch) : batch.state;
    const works = state === 'PREPARING' || state === 'GENERATING';
    await client.query(`UPDATE batches SET state = $2, problem = '', work_tries = 0, work_after = $3 WHERE id = $1`, [
      id,
      state,
      works ? new Date(now) : null,
    ]);
    await also(batch)(client);
  });
}

function resumed(batch: { total_jobs: number; generated_jobs: number }): string {
  if (batch.generated_jobs === batch.total_jobs) return 'READY';
  // Packages that are known already are not asked for again.
  return batch.generated_jobs === 0 ? 'PREPARING' : 'GENERATING';
}

/** From here on the batch is gone for everybody; its jobs are purged one by one. */
export function beginBatchDeletion(
  pool: pg.Pool,
  id: string,
  now: number,
  also: AlsoOfBatch,
): Promise<{ jobs: number; finished: number; cancelled: number }> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    const { rows } = await client.query<{ jobs: number; finished: number; cancelled: number; held: number }>(
      `SELECT count(*)::int AS jobs, (count(*) FILTER (WHERE state = 'FINISHED'))::int AS finished,
         (count(*) FILTER (WHERE state IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING')))::int AS cancelled,
         (count(*) FILTER (WHERE held))::int AS held
       FROM jobs WHERE batch_id = $1 AND state <> 'DELETING'`,
      [id],
    );
    const { jobs = 0, finished = 0, cancelled = 0, held = 0 } = rows[0] ?? {};
    if (batch.held) throw batchHeld();
    if (held > 0) throw jobHeld();
    await client.query("UPDATE batches SET state = 'DELETING', work_after = $2 WHERE id = $1", [id, new Date(now)]);
    await stopAttempts(client, id, 'deleted', now);
    await client.query(
      `UPDATE jobs SET state = 'DELETING', runner = NULL, lease_expires_at = NULL, prepare_after = NULL
       WHERE batch_id = $1 AND state <> 'DELETING'`,
      [id],
    );
    await also(batch)(client);
    return { jobs, finished, cancelled };
  });
}

/** Once its last job is gone. The pins are left to the sweeper, which releases what no job holds. */
export function finishBatchDeletion(pool: pg.Pool, id: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const gone = await client.query(
      `DELETE FROM batches b WHERE id = $1 AND state = 'DELETING' AND NOT EXISTS (SELECT FROM jobs j WHERE j.batch_id = b.id)`,
      [id],
    );
    if (gone.rowCount === 0) return false;
    await client.query("INSERT INTO pin_intents (holder_id, created_at) VALUES ($1, 'epoch') ON CONFLICT DO NOTHING", [
      id,
    ]);
    return true;
  });
}

export function saveMetadata(
  pool: pg.Pool,
  id: string,
  metadata: object,
  expectedId: string | undefined,
  also: AlsoOfBatch,
): Promise<'created' | 'updated'> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (expectedId !== undefined && expectedId !== (batch.metadata_id ?? '')) {
      throw new DomainError(
        'ABORTED',
        'metadata-changed',
        'Somebody else has saved this metadata since you opened it. Reload it first.',
      );
    }
    await client.query('UPDATE batches SET metadata = $2, metadata_id = $3 WHERE id = $1', [
      ...[id, JSON.stringify(metadata), randomUUID()],
    ]);
    await also(batch)(client);
    return batch.metadata_id === null ? 'created' : 'updated';
  });
}

async function stopAttempts(client: pg.ClientBase, batchId: string, cause: string, now: number): Promise<void> {
  await client.query(
    `UPDATE attempts a SET outcome = 'CANCELLED', cause = $2, ended_at = $3 FROM jobs j
     WHERE j.batch_id = $1 AND j.state = 'RUNNING' AND a.job_id = j.id AND a.attempt = j.attempt AND a.outcome = 'RUNNING'`,
    [batchId, cause, new Date(now)],
  );
}
