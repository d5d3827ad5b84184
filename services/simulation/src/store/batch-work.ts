import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { type BatchState, batchState } from '../domain/batch-state.ts';
import { combinationAt } from '../domain/combinations.ts';
import { type JobPlan, type Limits, type SeatPlan, tableSize } from '../domain/job.ts';
import { changeBatch, type LockedBatch, lockBatchIfPresent } from './batches.ts';
import { insertJobs, newJobId } from './insert-jobs.ts';
import { at, json, sql } from './sql.ts';

/** A batch with a step to do. */
export interface DueBatch {
  readonly id: string;
  readonly state: BatchState;
  readonly roster: readonly SeatPlan[];
  readonly tries: number;
  readonly createdAt: Date;
}

/** Reserves the batch that has been due longest; undefined if none is due. It becomes due again after `retryMs`, in case this process dies. */
export async function takeDueBatch(pool: pg.Pool, now: number, retryMs: number): Promise<DueBatch | undefined> {
  const { rows } = await pool.query<DueBatch>(
    sql`UPDATE batches SET work_after = ${at(now + retryMs)} WHERE id = (
          SELECT id FROM batches WHERE work_after <= ${at(now)} ORDER BY work_after LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, state, roster, work_tries AS tries, created_at AS "createdAt"`,
  );
  return rows[0];
}

/** Schedules the next step of a batch. No effect if its state has changed since it was taken. `dueAt`: ms since the epoch. */
export async function scheduleBatch(pool: pg.Pool, { id, state }: DueBatch, dueAt: number): Promise<void> {
  await pool.query(sql`UPDATE batches SET work_after = ${at(dueAt)} WHERE id = ${id} AND state = ${state}`);
}

/** Schedules the next try to prepare a batch and increments the number of tries. */
export async function postponeBatch(pool: pg.Pool, { id, state }: DueBatch, dueAt: number): Promise<void> {
  await pool.query(
    sql`UPDATE batches SET work_after = ${at(dueAt)}, work_tries = work_tries + 1 WHERE id = ${id} AND state = ${state}`,
  );
}

/** Stores the packages of a batch's bots, so that its jobs can be created. */
export function finishBatchPreparation(
  pool: pg.Pool,
  batchId: string,
  roster: readonly SeatPlan[],
  now: number,
): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    await changeBatch(client, batch, 'prepared', now, sql`, roster = ${json(roster)}`);
  });
}

/** Fails a batch whose bots cannot be played; `problem` is shown to admins. */
export function failBatchPreparation(pool: pg.Pool, batchId: string, problem: string, now: number): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    await changeBatch(client, batch, 'unplayable', now, sql`, problem = ${problem}`);
  });
}

/** Creates the next jobs of a batch, at most `limit`, and advances its cursor in the same transaction. */
export function generateJobs(
  pool: pg.Pool,
  batchId: string,
  { now, limits, limit }: { readonly now: number; readonly limits: Limits; readonly limit: number },
): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    if (batch.state !== batchState.generating) return;
    const generatedJobs = Math.min(batch.totalJobs, batch.generatedJobs + limit);
    const jobs: JobPlan[] = [];
    for (let index = batch.generatedJobs; index < generatedJobs; index++) jobs.push(jobOf(batch, index, limits));
    await insertJobs(client, jobs, { now, paused: batch.paused });
    const set = sql`, generated_jobs = ${generatedJobs}`;
    await changeBatch(client, { ...batch, generatedJobs }, 'generated', now, set);
  });
}

/** Plans job number `index` (from 0) of a batch. There is one for each combination of six bots, in lexicographic order. */
function jobOf({ id, ownerId, numRounds, blinds, roster }: LockedBatch, index: number, limits: Limits): JobPlan {
  return {
    id: newJobId(),
    kind: 'BATCH_MATCH',
    ownerId,
    batchId: id,
    holderId: id,
    gameNumber: index + 1,
    numRounds,
    blinds,
    stacks: 'carry',
    limits,
    seats: combinationAt(index, roster.length, tableSize).flatMap((bot) => roster[bot] ?? []),
  };
}

/** Deletes a batch whose jobs are all deleted, and opens a pin intent, so that the sweeper releases its pins. */
export function finishBatchDeletion(pool: pg.Pool, id: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    const deleted = await client.query(
      sql`DELETE FROM batches b WHERE id = ${id} AND state = ${batchState.deleting}
            AND NOT EXISTS (SELECT FROM jobs j WHERE j.batch_id = b.id)`,
    );
    if (deleted.rowCount === 0) return;
    await client.query(
      sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${id}, 'epoch') ON CONFLICT DO NOTHING`,
    );
  });
}

function changeUnlessDeleted(
  pool: pg.Pool,
  batchId: string,
  change: (client: pg.ClientBase, batch: LockedBatch) => Promise<void>,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatchIfPresent(client, batchId);
    if (batch) await change(client, batch);
  });
}
