import type { ProcessBatchResponse } from '@husky/contracts/types/leaderboard/v1/ProcessBatchResponse';
import { spanAttribute } from '@husky/runtime/telemetry/trace-context';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchIdOf, deltasOfGames } from '../domain/batch-deltas.ts';
import { holdBatch, settleBatch } from '../holds.ts';
import { inTraceOf } from '../in-trace-of.ts';
import { addBatchJobs, countApplied } from '../store/applied-batches.ts';
import { withBatchLock } from '../store/job-lock.ts';
import { statusOf } from './get-arena-status.ts';

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
