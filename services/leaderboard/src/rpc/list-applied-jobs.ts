import type { ListAppliedJobsResponse } from '@husky/contracts/types/leaderboard/v1/ListAppliedJobsResponse';
import { uuidsOf } from '@husky/runtime/process/uuid';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { appliedAmong } from '../store/applied-jobs.ts';

const maxJobs = 1000;

/** Returns those of the given jobs that are on the 2025 leaderboard. */
export function listAppliedJobs(context: Context): LeaderboardHandlers['listAppliedJobs'] {
  return async (request): Promise<ListAppliedJobsResponse> => {
    const ids = uuidsOf(request.jobIds, maxJobs, 'jobs');
    return { jobIds: ids.length === 0 ? [] : await appliedAmong(context.pool, ids) };
  };
}
