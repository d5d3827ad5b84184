import type { ListTagMatchesResponse } from '@husky/contracts/types/leaderboard/v1/ListTagMatchesResponse';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchTag, standingTag } from '../domain/entry-rules.ts';
import { appliedBatches } from '../store/applied-batches.ts';
import { appliedJobs } from '../store/applied-jobs.ts';

/** Returns the matches behind the entries of a tag. Entries of other tags than the platform's have none. */
export function listTagMatches({ pool }: Context): LeaderboardHandlers['listTagMatches'] {
  return async ({ tag }): Promise<ListTagMatchesResponse> => ({
    jobIds: tag === standingTag ? await appliedJobs(pool) : [],
    batchIds: tag === batchTag ? await appliedBatches(pool) : [],
  });
}
