import type { UnprocessBatchResponse } from '@husky/contracts/types/leaderboard/v1/UnprocessBatchResponse';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchIdOf } from '../domain/batch-deltas.ts';
import { settleBatch } from '../holds.ts';
import { removeBatchJobs } from '../store/applied-batches.ts';
import { withBatchLock } from '../store/job-lock.ts';
import { markHoldUnsettled } from '../store/unsettled-holds.ts';

/** Removes all jobs of a batch. Idempotent: without applied jobs it removes nothing. */
export function unprocessBatch(context: Context): LeaderboardHandlers['unprocessBatch'] {
  return async (request, { caller: admin }): Promise<UnprocessBatchResponse> => {
    const batchId = batchIdOf(request);
    const removal = await withBatchLock(context.pool, batchId, async (client) => {
      // Throws NOT_FOUND for an unknown batch.
      await context.simulation.listBatchResults({ batchId, afterGame: 0, limit: 0 });
      await markHoldUnsettled(client, 'batch', batchId, context.now());
      const removed = await removeBatchJobs(client, batchId, admin);
      await settleBatch(context, client, batchId);
      return removed;
    });
    context.relay.kick();
    return {
      jobsRemoved: removal.jobs,
      entriesUpdated: removal.updated,
      entriesRemoved: removal.removed,
      skippedUserIds: [...removal.skippedUserIds],
    };
  };
}
