import type { ListAppliedJobsRequest__Output } from '@husky/contracts/types/leaderboard/v1/ListAppliedJobsRequest';
import type { ListAppliedJobsResponse } from '@husky/contracts/types/leaderboard/v1/ListAppliedJobsResponse';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { LeaderboardContext } from '../context.ts';
import { appliedAmong } from '../store/applied-jobs.ts';

const maxJobs = 1000;

/** Returns those of the given jobs that are on the 2025 leaderboard. */
export async function listAppliedJobs(
  context: LeaderboardContext,
  request: ListAppliedJobsRequest__Output,
): Promise<ListAppliedJobsResponse> {
  if (request.jobIds.length > maxJobs) {
    throw new DomainError('INVALID_ARGUMENT', 'too-many-ids', `At most ${maxJobs} jobs can be requested at once`);
  }
  const ids = request.jobIds.filter(isUuid);
  return { jobIds: ids.length === 0 ? [] : await appliedAmong(context.pool, ids) };
}
