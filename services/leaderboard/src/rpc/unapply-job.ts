import type { UnapplyJobResponse } from '@husky/contracts/types/leaderboard/v1/UnapplyJobResponse';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { jobIdOf } from '../domain/job-deltas.ts';
import { releaseJob } from '../holds.ts';
import { presentEntry } from '../present.ts';
import { unapplyDeltas } from '../store/applied-jobs.ts';
import { withJobLock } from '../store/job-lock.ts';

/** Removes a match from the 2025 standing. `updated` also counts entries that are deleted because no job remains in them. */
export function unapplyJob(context: Context): LeaderboardHandlers['unapplyJob'] {
  return async (request, { caller: admin }): Promise<UnapplyJobResponse> => {
    const jobId = jobIdOf(request);
    const { updated, skippedUserIds } = await withJobLock(context.pool, jobId, async (client) => {
      const result = await unapplyDeltas(client, jobId, admin, context.now());
      await releaseJob(context, client, jobId);
      return result;
    });
    context.relay.kick();
    return { updated: updated.map(presentEntry), skippedUserIds };
  };
}
