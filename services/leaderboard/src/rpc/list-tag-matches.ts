import type { ListTagMatchesRequest__Output } from '@husky/contracts/types/leaderboard/v1/ListTagMatchesRequest';
import type { ListTagMatchesResponse } from '@husky/contracts/types/leaderboard/v1/ListTagMatchesResponse';
import type { LeaderboardContext } from '../context.ts';
import { batchTag, standingTag } from '../domain/entry-rules.ts';
import { appliedBatches } from '../store/applied-batches.ts';
import { appliedJobs } from '../store/applied-jobs.ts';

/** Returns the matches behind the entries of a tag. Entries of other tags than the platform's have none. */
export async function listTagMatches(
  { pool }: LeaderboardContext,
  { tag }: ListTagMatchesRequest__Output,
): Promise<ListTagMatchesResponse> {
  return {
    jobIds: tag === standingTag ? await appliedJobs(pool) : [],
    batchIds: tag === batchTag ? await appliedBatches(pool) : [],
  };
}
