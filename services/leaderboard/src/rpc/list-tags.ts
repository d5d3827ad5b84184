import type { ListTagsRequest__Output } from '@husky/contracts/types/leaderboard/v1/ListTagsRequest';
import type { ListTagsResponse } from '@husky/contracts/types/leaderboard/v1/ListTagsResponse';
import type { LeaderboardContext } from '../context.ts';
import { listTags as tagsOf } from '../store/entries.ts';

/** Verified users. */
export async function listTags(
  context: LeaderboardContext,
  _request: ListTagsRequest__Output,
): Promise<ListTagsResponse> {
  return { tags: await tagsOf(context.db) };
}
