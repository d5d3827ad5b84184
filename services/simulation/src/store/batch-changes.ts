import { randomUUID } from 'node:crypto';
import { at, empty, json, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import pg from 'pg';
import { batchState, growingStates } from '../domain/batch-state.ts';
import { queueCost } from '../domain/job.ts';
import { jobState, unfinishedStates } from '../domain/job-state.ts';
import type { AuditWriter } from './audit.ts';
import { batchOfNumber, changeBatch, type LockedBatch, lockBatch } from './batches.ts';
import { batchHeld, jobHeld, rememberPlayedOf } from './deletion.ts';
import { changeBatchJobs, failureColumns } from './job-changes.ts';
import { writeJobsFailed } from './job-ended.ts';
import { reserveTags } from './queue.ts';

/** Creates the audit writer of a change from the state of the batch before the change. */
export type BatchAuditWriter = (before: LockedBatch) => AuditWriter;

const refusal = (reason: string, message: string) => new DomainError('FAILED_PRECONDITION', reason, message);
export const batchEnded = () =>
  refusal('batch-ended', 'This batch has ended: every match has been played, has failed or was cancelled.');

interface JobCounts {
  readonly jobs: number;
  readonly finished: number;
  readonly failed: number;
  readonly unfinished: number;
  readonly held: number;
}

async function countJobs(client: pg.ClientBase, batchId: string): Promise<JobCounts> {
  const { rows } = await client.query<JobCounts>(
    sql`SELECT count(*)::int AS jobs,
          (count(*) FILTER (WHERE state = ${jobState.finished}))::int AS finished,
          (count(*) FILTER (WHERE state = ${jobState.failed}))::int AS failed,
          (count(*) FILTER (WHERE state = ANY (${texts(unfinishedStates)})))::int AS unfinished,
          (count(*) FILTER (WHERE held))::int AS held
        FROM jobs WHERE batch_id = ${batchId} AND state <> ${jobState.deleting}`,
  );
  return rows[0] ?? { jobs: 0, finished: 0, failed: 0, unfinished: 0, held: 0 };
}

/** Returns whether a batch has jobs to create or to play. */
async function isOpen(client: pg.ClientBase, { id, state }: LockedBatch): Promise<boolean> {
  return growingStates.includes(state) || (await countJobs(client, id)).unfinished > 0;
}

/**
 * Pauses or resumes a batch: its waiting jobs become PAUSED or QUEUED; running ones continue. Throws FAILED_PRECONDITION if
 * the batch has ended or is already in this state.
 */
export function pauseBatch(
  pool: pg.Pool,
  id: string,
  event: 'paused' | 'resumed',
  now: number,
  writeAudit: BatchAuditWriter,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (!(await isOpen(client, batch))) throw batchEnded();
    const changed = await changeBatch(client, batch, event, now);
    if (!changed?.jobs) {
      throw refusal('already-so', batch.paused ? 'This batch is paused already.' : 'This batch is not paused.');
    }
    await changeBatchJobs(client, { id, paused: changed.paused }, changed.jobs, { now });
    await writeAudit(batch)(client);
  });
}

/**
 * Fails every unfinished job and stops creating jobs. `byRule`: the stopping rule ends the batch, and it cannot be retried. Runners
 * are notified by their next heartbeat. Returns false, without a change, if the batch has no job to create or to play.
 */
export function cancelBatch(
  pool: pg.Pool,
  id: string,
  message: string,
  now: number,
  { writeAudit, byRule = false }: { writeAudit?: BatchAuditWriter; byRule?: boolean } = {},
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (!(await isOpen(client, batch))) return false;
    const changed = await changeBatch(client, batch, 'cancelled', now, byRule ? sql`, stopped_at = ${at(now)}` : empty);
    if (!changed?.jobs) return false;
    const details = { now, cause: message, set: failureColumns(message, now) };
    const failed = await changeBatchJobs(client, { id, paused: changed.paused }, changed.jobs, details);
    await writeJobsFailed(client, failed, { ...batch, reason: message }, now);
    await writeAudit?.(batch)(client);
    return true;
  });
}

/**
 * Queues failed jobs again (deleted ones never: a new seed would be a choice), behind other waiting jobs of their owner, and continues to prepare and create jobs. Throws
 * FAILED_PRECONDITION if there is neither a failed job nor a job to create.
 */
export function retryBatch(pool: pg.Pool, id: string, now: number, writeAudit: BatchAuditWriter): Promise<void> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (batch.stoppedAt !== null) throw refusal('batch-stopped', 'The stopping rule has ended this batch.');
    const { failed, jobs } = await countJobs(client, id);
    const deleted = batch.generatedJobs - jobs;
    const stopped = batch.state === batchState.failed || batch.state === batchState.cancelled;
    if (failed === 0 && !stopped) {
      const notAgain =
        deleted > 0 ? ` ${deleted} deleted ${deleted === 1 ? 'one is' : 'ones are'} not played again.` : '';
      throw refusal('nothing-failed', `No match of this batch has failed.${notAgain}`);
    }
    const set = sql`, problem = '', work_tries = 0, failing_since = NULL`;
    const changed = await changeBatch(client, batch, 'retried', now, set);
    if (failed > 0 && changed?.jobs) {
      const cost = queueCost(batch.numRounds);
      const tag = await reserveTags(client, 'BATCH_MATCH', batch.ownerId, cost, failed);
      await client.query(
        sql`UPDATE jobs SET queue_tag = ${tag} + (retried.place - 1) * ${cost}::float8
            FROM (SELECT id, row_number() OVER (ORDER BY game_number) AS place FROM jobs
                  WHERE batch_id = ${id} AND state = ${jobState.failed}) retried
            WHERE jobs.id = retried.id`,
      );
      const set = sql`, error_message = '', ended_at = NULL, suspect_losses = 0, other_losses = 0`;
      await changeBatchJobs(client, { id, paused: changed.paused }, changed.jobs, { now, set });
    }
    await writeAudit(batch)(client);
  });
}

/**
 * Hides a batch from every reader; the batch worker then purges its jobs. Throws ABORTED while it or one of its jobs is held.
 * Returns the counts of its jobs; `cancelled`: unfinished ones.
 */
export function beginBatchDeletion(
  pool: pg.Pool,
  id: string,
  now: number,
  writeAudit: BatchAuditWriter,
): Promise<{ jobs: number; finished: number; cancelled: number }> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    const { jobs, finished, unfinished, held } = await countJobs(client, id);
    if (batch.held) throw batchHeld();
    if (held > 0) throw jobHeld();
    await rememberPlayedOf(client, id, now);
    const changed = await changeBatch(client, batch, 'deleted', now);
    if (changed?.jobs) await changeBatchJobs(client, batch, changed.jobs, { now, cause: 'deleted' });
    await writeAudit(batch)(client);
    return { jobs, finished, cancelled: unfinished };
  });
}

export interface MetadataChange {
  readonly metadata: object;
  /** The number that the batch is shown with afterwards. */
  readonly number: number;
  /** Id of the metadata that it replaces ('': none; undefined: any). */
  readonly expectedId: string | undefined;
}

/** Saves the metadata of a batch. Throws ABORTED if other metadata has been saved since, ALREADY_EXISTS if another batch has the number. */
export async function saveMetadata(
  pool: pg.Pool,
  id: string,
  { metadata, number, expectedId }: MetadataChange,
  writeAudit: BatchAuditWriter,
): Promise<'created' | 'updated'> {
  const saved = inTransaction(pool, async (client) => {
    const batch = await lockBatch(client, id);
    if (expectedId !== undefined && expectedId !== (batch.metadataId ?? '')) {
      const message = 'Somebody else has saved this metadata since you opened it. Reload it first.';
      throw new DomainError('ABORTED', 'metadata-changed', message);
    }
    await client.query(
      sql`UPDATE batches SET metadata = ${json(metadata)}, metadata_id = ${randomUUID()} WHERE id = ${id}`,
    );
    if (number !== batch.shownNumber) {
      await client.query(
        sql`INSERT INTO former_batch_numbers (number, batch_id) VALUES (${batch.shownNumber}, ${id})
            ON CONFLICT (number, batch_id) DO UPDATE SET change = EXCLUDED.change`,
      );
    }
    await writeAudit(batch)(client);
    return batch.metadataId === null ? ('created' as const) : ('updated' as const);
  });
  try {
    return await saved;
  } catch (error) {
    const taken = error instanceof pg.DatabaseError && error.constraint === 'batches_shown_number';
    throw taken ? numberTaken(number, await batchOfNumber(pool, number)) : error;
  }
}

function numberTaken(number: number, batchId = 'that has just been deleted'): DomainError {
  const message = `Number ${number} belongs to batch ${batchId}. Give this batch another batch_number.`;
  return new DomainError('ALREADY_EXISTS', 'batch-number-taken', message);
}
