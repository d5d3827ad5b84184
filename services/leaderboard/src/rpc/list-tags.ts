import type { ListTagsResponse } from '@husky/contracts/types/leaderboard/v1/ListTagsResponse';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { boardTags } from '../store/boards.ts';

/** Returns all tags with entries. */
export function listTags(context: Context): LeaderboardHandlers['listTags'] {
  return async (): Promise<ListTagsResponse> => ({ tags: (await boardTags(context.pool)).sort() });
}
