import type { ArenaStatus } from '@husky/contracts/types/leaderboard/v1/ArenaStatus';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchIdOf } from '../domain/batch-deltas.ts';
import { countApplied } from '../store/applied-batches.ts';

/** Returns how many jobs of a batch are applied. */
export function getArenaStatus(context: Context): LeaderboardHandlers['getArenaStatus'] {
  return async (request): Promise<ArenaStatus> => {
    const batchId = batchIdOf(request);
    const counts = await context.simulation.listBatchResults({ batchId, afterGame: 0, limit: 0 });
    return statusOf(await countApplied(context.pool, batchId), counts.finishedJobs, counts.totalJobs);
  };
}

/** Creates the status from the three counts. */
export function statusOf(jobsAdded: number, jobsFinished: number, jobsTotal: number): ArenaStatus {
  return { allAdded: jobsFinished > 0 && jobsAdded === jobsFinished, jobsAdded, jobsFinished, jobsTotal };
}
