import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import { isUuid } from '@husky/runtime/uuid';
import type { Context } from '../context.ts';
import { batchNotFound } from '../domain/not-found.ts';
import { type BatchProgress, findBatch, progressOf, type StoredBatch, standingsOf } from '../store/batches.ts';

export async function requireBatch(context: Context, id: string): Promise<StoredBatch> {
  const batch = isUuid(id) ? await findBatch(context.prisma, id) : null;
  if (!batch) throw batchNotFound();
  return batch;
}

export async function presentBatches(context: Context, batches: readonly StoredBatch[]): Promise<Batch[]> {
  const ids = batches.map((batch) => batch.id);
  const progress = await progressOf(context.pool, ids, context.now());
  return batches.map((batch) => presentBatch(batch, progress.get(batch.id)));
}

/** One batch with its standings. */
export async function presentWhole(context: Context, id: string): Promise<Batch> {
  const [batch] = await presentBatches(context, [await requireBatch(context, id)]);
  return { ...batch, standings: await standingsOf(context.pool, id) };
}

const nothing: BatchProgress = {
  ...{ running: 0, finished: 0, failed: 0, handsUnderWay: 0, lateHands: 0, lateSeconds: 0 },
};

function presentBatch(batch: StoredBatch, progress: BatchProgress = nothing): Batch {
  const { running, finished, failed } = progress;
  const toCome = batch.state === 'CANCELLED' || batch.state === 'FAILED' ? batch.generatedJobs : batch.totalJobs;
  const pending = Math.max(0, toCome - running - finished - failed);
  const rate = progress.lateSeconds > 0 ? progress.lateHands / progress.lateSeconds : 0;
  const handsLeft = (pending + running) * batch.numRounds - progress.handsUnderWay;
  return {
    id: batch.id,
    batchNumber: batch.shownNumber,
    ownerId: batch.ownerId,
    createdAt: batch.createdAt.toISOString(),
    state: batch.state.charAt(0) + batch.state.slice(1).toLowerCase(),
    paused: batch.paused,
    problem: batch.problem,
    totalJobs: batch.totalJobs,
    generatedJobs: batch.generatedJobs,
    ...{ pending, running, finished, failed },
    held: batch.held,
    userIds: batch.userIds,
    numRounds: batch.numRounds,
    blinds: { bigBlind: batch.bigBlind, multiplier: batch.blindMultiplier, interval: batch.blindInterval },
    handsPerSecond: rate,
    secondsLeft: rate > 0 && !batch.paused ? handsLeft / rate : 0,
    metadataId: batch.metadataId ?? '',
  };
}
