import type { BatchHold__Output } from '@husky/contracts/types/simulation/v1/BatchHold';
import { DomainError, messageOf } from '@husky/runtime/errors';
import type pg from 'pg';
import type { LeaderboardContext } from './context.ts';
import { countApplied } from './store/applied-batches.ts';
import { noteBatchSettled, noteBatchUnsettled, unsettledBatchesSince } from './store/batch-hold-notes.ts';
import { withBatchLock } from './store/job-lock.ts';

const settleAfterMs = 30_000;

/** Holds a batch at simulation, so that neither it nor a job of it can be deleted. */
export async function holdBatch(
  context: LeaderboardContext,
  client: pg.PoolClient,
  batchId: string,
): Promise<BatchHold__Output> {
  await noteBatchUnsettled(client, batchId, context.now());
  try {
    return await context.simulation.holdBatch({ batchId });
  } catch (error) {
    if (isNotFound(error)) await noteBatchSettled(client, batchId);
    throw error;
  }
}

/** Makes the hold say what the entries say. When simulation is away, the sweeper does it later. */
export async function settleBatch(context: LeaderboardContext, client: pg.PoolClient, batchId: string): Promise<void> {
  if ((await countApplied(client, batchId)) === 0) {
    try {
      await context.simulation.releaseBatch({ batchId });
    } catch (error) {
      if (!isNotFound(error)) {
        context.log.warn({ batchId }, `batch ${batchId} is let go later: ${messageOf(error)}`);
        return;
      }
      // Deleted or never there: there is nothing to let go.
    }
  }
  await noteBatchSettled(client, batchId);
}

/** Settles holds that a crash or an absence of simulation left open. */
export async function settleBatchHolds(context: LeaderboardContext): Promise<void> {
  const before = new Date(context.now().getTime() - settleAfterMs);
  for (const batchId of await unsettledBatchesSince(context.pool, before)) {
    await withBatchLock(context.pool, batchId, (client) => settleBatch(context, client, batchId));
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'NOT_FOUND';
}
