import type { ArenaStatus } from '@husky/contracts/types/leaderboard/v1/ArenaStatus';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchIdOf } from '../domain/batch-deltas.ts';
import { countApplied } from '../store/applied-batches.ts';

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
