import type { EntryList } from '@husky/contracts/types/leaderboard/v1/EntryList';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { presentEntry } from '../present.ts';
import { entriesByScore } from '../store/entries.ts';

const maxEntries = 1000;

/** Returns a page of entries by score. */
export function getTop(context: Context): LeaderboardHandlers['getTop'] {
  return async (request): Promise<EntryList> => {
    if (request.n < 1 || request.n > maxEntries) {
      throw new DomainError('INVALID_ARGUMENT', 'n-out-of-range', `n is between 1 and ${maxEntries}`);
    }
    const page = pageOf({ page: request.page, pageSize: request.n }, { normal: 1000 });
    if (request.tag.includes('\0')) return { entries: [], total: 0 };
    const where = request.tag === '' ? {} : { tag: request.tag };
    const { entries, total } = await entriesByScore(context.prisma, where, page);
    return { entries: entries.map(presentEntry), total };
  };
}
