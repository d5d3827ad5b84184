import type { ArenaStatus } from '@husky/contracts/types/leaderboard/v1/ArenaStatus';
import type { ProcessBatchResponse } from '@husky/contracts/types/leaderboard/v1/ProcessBatchResponse';
import type { UnprocessBatchResponse } from '@husky/contracts/types/leaderboard/v1/UnprocessBatchResponse';
import { spanAttribute } from '@husky/runtime/telemetry/trace-context';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchIdOf, deltasOfGames } from '../domain/job-deltas.ts';
import { holdBatch, inTraceOf, settleBatch } from '../holds.ts';
import { addBatchJobs, countApplied, removeBatchJobs } from '../store/applied-batches.ts';
import { markHoldUnsettled, withBatchLock } from '../store/applied-jobs.ts';

/** Returns how many jobs of a batch are applied. */
export function getArenaStatus(context: Context): LeaderboardHandlers['getArenaStatus'] {
  return async (request): Promise<ArenaStatus> => {
    const batchId = batchIdOf(request);
    const counts = await context.simulation.listBatchResults({ batchId, afterGame: 0, limit: 0 });
    const { finishedJobs: jobsFinished, totalJobs: jobsTotal, deletedJobs: jobsDeleted } = counts;
    return statusOf(await countApplied(context.pool, batchId), { jobsFinished, jobsTotal, jobsDeleted });
  };
}

/** Creates the status from the counts of a batch. */
export function statusOf(
  jobsAdded: number,
  counts: { readonly jobsFinished: number; readonly jobsTotal: number; readonly jobsDeleted: number },
): ArenaStatus {
  return { allAdded: counts.jobsFinished > 0 && jobsAdded === counts.jobsFinished, jobsAdded, ...counts };
}

// Jobs in one transaction. Bounds the work lost in a crash and the wait of other writers of entries.
const chunkSize = 2000;

/** Adds all finished jobs of a batch. Idempotent: a repeated call adds the missing ones. Holds the batch first, so that no result can be deleted meanwhile. */
export function processBatch(context: Context): LeaderboardHandlers['processBatch'] {
  return async (request, { caller: admin }): Promise<ProcessBatchResponse> => {
    const batchId = batchIdOf(request);
    const result = await withBatchLock(context.pool, batchId, async (client) => {
      const { traceparent } = await holdBatch(context, client, batchId);
      const created = new Set<string>();
      const updated = new Set<string>();
      let jobsAdded = 0;
      let jobsTotal = 0;
      let jobsFinished = 0;
      let jobsDeleted = 0;
      for (let afterGame = 0; ; ) {
        const page = await context.simulation.listBatchResults({ batchId, afterGame, limit: chunkSize });
        ({ totalJobs: jobsTotal, finishedJobs: jobsFinished, deletedJobs: jobsDeleted } = page);
        const deltas = deltasOfGames(page.games);
        const added = await inTraceOf(traceparent, { [spanAttribute.batchId]: batchId }, () =>
          addBatchJobs(client, { id: batchId, by: admin }, deltas, context.now()),
        );
        jobsAdded += added.jobs;
        for (const id of added.created) created.add(id);
        for (const id of added.updated) updated.add(id);
        const last = page.games.at(-1);
        if (last === undefined || page.games.length < chunkSize) break;
        afterGame = last.gameNumber;
      }
      await settleBatch(context, client, batchId);
      return {
        jobsAdded,
        jobsUnfinished: jobsTotal - jobsFinished - jobsDeleted,
        entriesCreated: created.size,
        entriesUpdated: [...updated].filter((id) => !created.has(id)).length,
        status: statusOf(await countApplied(client, batchId), { jobsFinished, jobsTotal, jobsDeleted }),
      };
    });
    context.relay.kick();
    return result;
  };
}

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
