import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import { batchState } from '../domain/batch-state.ts';
import type { SeatPlan } from '../domain/job.ts';
import { failingMs, preparationBackoffMs, preparationVerdict } from '../domain/loss.ts';
import { isDecided, isInForce, stopCourse } from '../domain/stop-rule.ts';
import { usernamesOf } from '../names.ts';
import { cancelBatch } from '../store/batch-changes.ts';
import {
  type DueBatch,
  failBatchPreparation,
  finishBatchDeletion,
  finishBatchPreparation,
  generateJobs,
  planBatch,
  postponeBatch,
  renewBatch,
  scheduleBatch,
  takeDueBatch,
} from '../store/batch-work.ts';
import { brokenChainRetryMs, ChainBroken } from '../store/chain-check.ts';
import { batchJobsToPurge, finishBatchJobs } from '../store/deletion.ts';
import { findBatchWithRule, finishStopRule, tableResults } from '../store/stop-rules.ts';
import { forEach } from './for-each.ts';
import { resolvePackages } from './preparer.ts';
import { reservedMs, whileReserved } from './reservation.ts';

const jobsAtOnce = 200;
const purgesAtOnce = 8;

/** Does one step of one due batch. Returns whether there was one and the next step need not wait. */
export async function workOnBatches(context: Context): Promise<boolean> {
  const now = context.now();
  const batch = await takeDueBatch(context.pool, now, reservedMs);
  if (!batch) return false;
  const renew = (from: number, to: number) => renewBatch(context.pool, batch.id, from, to);
  return whileReserved(context, now, renew, () => workOnBatch(context, batch));
}

async function workOnBatch(context: Context, batch: DueBatch): Promise<boolean> {
  const now = context.now();
  try {
    if (batch.state === batchState.preparing) await prepareBatch(context, batch);
    else if (batch.state === batchState.generating && batch.needsPlan) {
      const names = await usernamesOf(
        context,
        batch.roster.map(({ userId }) => userId),
      );
      const { limits, beacon } = context.settings;
      await planBatch(context.pool, batch.id, { names, now, limits, beacon: beacon?.chain ?? null });
    } else if (batch.state === batchState.generating) {
      await generateJobs(context.pool, batch.id, { now, limits: context.settings.limits, limit: jobsAtOnce });
    } else if (batch.state === batchState.deleting) return await purgeBatch(context, batch);
    else if (batch.state === batchState.ready) await applyStopRule(context, batch);
  } catch (error) {
    await scheduleBatch(context.pool, batch, error instanceof ChainBroken ? now + brokenChainRetryMs : now);
    if (error instanceof ChainBroken) return false;
    throw error;
  }
  return true;
}

async function prepareBatch(context: Context, batch: DueBatch): Promise<void> {
  const roster: SeatPlan[] = [];
  for (const bot of batch.roster) {
    try {
      roster.push({ ...bot, packagesHash: bot.packagesHash ?? (await resolvePackages(context, bot.botHash)) });
    } catch (error) {
      await handleFailure(context, batch, bot, error);
      return;
    }
  }
  await finishBatchPreparation(context.pool, batch.id, roster, context.now());
}

async function handleFailure(context: Context, batch: DueBatch, bot: SeatPlan, error: unknown): Promise<void> {
  const now = context.now();
  const elapsedMs = failingMs(batch.failingSince, now);
  if (preparationVerdict(error, elapsedMs, context.settings.prepareMs) === 'retry') {
    await postponeBatch(context.pool, batch, now, now + preparationBackoffMs(batch.tries + 1));
    return;
  }
  const problem = `A bot cannot be played: ${messageOf(error)}`;
  context.log.warn({ batchId: batch.id, userId: bot.userId }, `batch failed: ${problem}`);
  await failBatchPreparation(context.pool, batch.id, problem, now);
}

/** Ends the batch if its stopping rule has decided. */
async function applyStopRule(context: Context, due: DueBatch): Promise<void> {
  const batch = await findBatchWithRule(context.pool, due.id);
  if (
    batch &&
    isInForce(batch.rule) &&
    isDecided(stopCourse(batch.rule, batch, await tableResults(context.pool, batch)))
  ) {
    const message = 'Not played: the stopping rule has ended the batch.';
    await cancelBatch(context.pool, batch.id, message, context.now(), { byRule: true });
    context.relay.kick();
  }
  await finishStopRule(context.pool, due);
}

/** Returns false if jobs are left and none could be purged: the next step waits. */
async function purgeBatch(context: Context, batch: DueBatch): Promise<boolean> {
  const { liveData, purgeFailures } = context;
  const jobIds = await batchJobsToPurge(context.pool, batch.id, jobsAtOnce, purgeFailures.jobIds);
  const outcome = await forEach(jobIds, purgesAtOnce, (jobId) => liveData.purgeMatch({ jobId }));
  // One transaction for all jobs: separate ones would wait for the lock of the batch's row one after the other.
  await finishBatchJobs(context.pool, batch.id, outcome.done);
  context.relay.kick();
  purgeFailures.record(outcome, context.now());
  if (outcome.outage !== undefined) throw outcome.outage;
  if (jobIds.length === 0) await finishBatchDeletion(context.pool, batch.id);
  else await scheduleBatch(context.pool, batch, context.now());
  return jobIds.length === 0 || outcome.done.length > 0;
}
