import type { ListTagsRequest__Output } from '@husky/contracts/types/leaderboard/v1/ListTagsRequest';
import type { ListTagsResponse } from '@husky/contracts/types/leaderboard/v1/ListTagsResponse';
import type { LeaderboardContext } from '../context.ts';
import { boardTags } from '../store/boards.ts';

/** Returns all tags with entries. */
export async function listTags(
  context: LeaderboardContext,
  _request: ListTagsRequest__Output,
): Promise<ListTagsResponse> {
  return { tags: (await boardTags(context.pool)).sort() };
}
