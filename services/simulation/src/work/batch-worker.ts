import { DomainError, messageOf } from '@husky/runtime/errors';
import { inTransaction } from '@husky/runtime/transaction';
import type { Context } from '../context.ts';
import { combinationAt } from '../domain/combinations.ts';
import type { Blinds, SeatPlan } from '../domain/job.ts';
import { newJobId } from '../rpc/new-job-id.ts';
import { finishBatchDeletion } from '../store/batch-changes.ts';
import { lockBatch } from '../store/batches.ts';
import { finishBatchJobs, jobsBeingDeleted } from '../store/deletion.ts';
import { insertJobs } from '../store/insert-jobs.ts';
import { packagesOf, pauseMs, verdictOn } from './preparer.ts';

const players = 6;
const jobsAtOnce = 200;
const purgesAtOnce = 8;
// A batch whose worker died is taken up again after this.
const retakeMs = 5 * 60_000;

interface TakenBatch {
  readonly id: string;
  readonly state: string;
  readonly roster: SeatPlan[];
  readonly tries: number;
  readonly createdAt: Date;
}

/** Does one step of one batch that has work; answers whether it found any. */
export async function workOnBatches(context: Context): Promise<boolean> {
  const now = context.now();
  const { rows } = await context.pool.query<TakenBatch>(
    `UPDATE batches SET work_after = $2 WHERE id = (
       SELECT id FROM batches WHERE work_after <= $1 ORDER BY work_after LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, state, roster, work_tries AS tries, created_at AS "createdAt"`,
    [new Date(now), new Date(now + retakeMs)],
  );
  const [batch] = rows;
  if (!batch) return false;
  try {
    if (batch.state === 'PREPARING') await prepareBatch(context, batch);
    else if (batch.state === 'GENERATING') await generateJobs(context, batch.id);
    else if (batch.state === 'DELETING') await purgeBatch(context, batch.id);
  } catch (error) {
    // A step that fails is taken up by whoever looks next; only one whose worker died waits for longer.
    await context.pool.query('UPDATE batches SET work_after = $2 WHERE id = $1 AND state = $3', [
      ...[batch.id, new Date(now), batch.state],
    ]);
    throw error;
  }
  return true;
}

async function prepareBatch(context: Context, batch: TakenBatch): Promise<void> {
  const roster: SeatPlan[] = [];
  for (const bot of batch.roster) {
    try {
      roster.push({ ...bot, packagesHash: bot.packagesHash ?? (await packagesOf(context, bot.botHash)) });
    } catch (error) {
      await prepareFailed(context, batch, bot, error);
      return;
    }
  }
  await context.pool.query(
    "UPDATE batches SET roster = $2, state = 'GENERATING', work_after = $3 WHERE id = $1 AND state = 'PREPARING'",
    [batch.id, JSON.stringify(roster), new Date(context.now())],
  );
}

async function prepareFailed(context: Context, batch: TakenBatch, bot: SeatPlan, error: unknown): Promise<void> {
  const now = context.now();
  const verdict = verdictOn(error, batch.tries === 0 ? 0 : now - batch.createdAt.getTime(), context.settings.prepareMs);
  if (verdict === 'again') {
    await context.pool.query(
      "UPDATE batches SET work_after = $2, work_tries = work_tries + 1 WHERE id = $1 AND state = 'PREPARING'",
      [batch.id, new Date(now + pauseMs(batch.tries + 1))],
    );
    return;
  }
  const problem = `A bot cannot be played: ${messageOf(error)}`;
  context.log.warn({ batchId: batch.id, userId: bot.userId }, `batch ${batch.id}: ${problem}`);
  await context.pool.query(
    "UPDATE batches SET state = 'FAILED', problem = $2, work_after = NULL WHERE id = $1 AND state = 'PREPARING'",
    [batch.id, problem],
  );
}

/** The next jobs of a batch. Where it stands is in the batch's own row, changed in the transaction that makes the jobs. */
async function generateJobs(context: Context, batchId: string): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const batch = await lockBatch(client, batchId).catch((error: unknown) => {
      // Deleted meanwhile.
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    if (batch?.state !== 'GENERATING') return;
    const { rows } = await client.query<{ roster: SeatPlan[]; blinds: Blinds }>(
      `SELECT roster, jsonb_build_object('bigBlind', big_blind, 'multiplier', blind_multiplier, 'interval', blind_interval) AS blinds
       FROM batches WHERE id = $1`,
      [batchId],
    );
    const [plan] = rows;
    if (!plan) return;
    const from = batch.generated_jobs;
    const until = Math.min(batch.total_jobs, from + jobsAtOnce);
    const jobs = Array.from({ length: until - from }, (_, index) => {
      const picked = combinationAt(from + index, plan.roster.length, players);
      return {
        ...({ id: newJobId(), kind: 'BATCH_MATCH', ownerId: batch.owner_id, batchId, holderId: batchId } as const),
        ...{ gameNumber: from + index + 1, numRounds: batch.num_rounds, blinds: plan.blinds },
        limits: context.settings.limits,
        seats: picked.flatMap((index) => plan.roster[index] ?? []),
      };
    });
    await insertJobs(client, jobs, { now: context.now(), paused: batch.paused });
    const done = until === batch.total_jobs;
    await client.query('UPDATE batches SET generated_jobs = $2, state = $3, work_after = $4 WHERE id = $1', [
      ...[batchId, until, done ? 'READY' : 'GENERATING', done ? null : new Date(context.now())],
    ]);
  });
}

async function purgeBatch(context: Context, batchId: string): Promise<void> {
  const left = await jobsBeingDeleted(context.pool, jobsAtOnce, batchId);
  const queue = [...left];
  const purge = async () => {
    for (let jobId = queue.shift(); jobId !== undefined; jobId = queue.shift())
      await context.liveData.purgeMatch({ jobId });
  };
  await Promise.all(Array.from({ length: purgesAtOnce }, purge));
  // One transaction: job by job, the lock of the batch's row makes them wait for each other's commit.
  await finishBatchJobs(context.pool, batchId, left);
  context.relay.kick();
  if (left.length === 0) await finishBatchDeletion(context.pool, batchId);
  else {
    await context.pool.query("UPDATE batches SET work_after = $2 WHERE id = $1 AND state = 'DELETING'", [
      ...[batchId, new Date(context.now())],
    ]);
  }
}
