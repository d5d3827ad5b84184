import type { Board } from '@husky/contracts/types/leaderboard/v1/Board';
import type { ListTagMatchesResponse } from '@husky/contracts/types/leaderboard/v1/ListTagMatchesResponse';
import type { ListTagsResponse } from '@husky/contracts/types/leaderboard/v1/ListTagsResponse';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { batchTag, isPlatformTag, standingTag } from '../domain/entry-rules.ts';
import { appliedBatches } from '../store/applied-batches.ts';
import { appliedJobs } from '../store/applied-jobs.ts';
import { boardRows, boardTags, countMatches } from '../store/boards.ts';

/** Returns one board. A tag without entries has an empty board. */
export function getBoard(context: Context): LeaderboardHandlers['getBoard'] {
  return async (request): Promise<Board> => {
    const page = pageOf(request, { normal: 1000 });
    const tags = await boardTags(context.pool);
    const { tag: requested, preferredTag } = request;
    const tag = requested !== '' ? requested : tags.includes(preferredTag) ? preferredTag : (tags[0] ?? standingTag);
    const fromMatches = isPlatformTag(tag);
    if (!tags.includes(tag)) return { tag, fromMatches, matches: 0, rows: [], total: 0, tags };
    const [{ rows, total }, matches] = await Promise.all([
      boardRows(context.pool, tag, page),
      fromMatches ? countMatches(context.pool, tag) : 0,
    ]);
    return { tag, fromMatches, matches, rows, total, tags };
  };
}

/** Returns all tags with entries. */
export function listTags(context: Context): LeaderboardHandlers['listTags'] {
  return async (): Promise<ListTagsResponse> => ({ tags: (await boardTags(context.pool)).sort() });
}

/** Returns the matches behind the entries of a tag. Entries of other tags than the platform's have none. */
export function listTagMatches({ pool }: Context): LeaderboardHandlers['listTagMatches'] {
  return async ({ tag }): Promise<ListTagMatchesResponse> => ({
    jobIds: tag === standingTag ? await appliedJobs(pool) : [],
    batchIds: tag === batchTag ? await appliedBatches(pool) : [],
  });
}
