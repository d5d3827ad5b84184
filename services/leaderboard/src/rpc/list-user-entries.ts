import type { EntryList } from '@husky/contracts/types/leaderboard/v1/EntryList';
import { isUuid } from '@husky/runtime/process/uuid';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { presentEntry } from '../present.ts';
import { entriesByScore } from '../store/entries.ts';

/** Returns a user's entries, which are on the public profile. */
export function listUserEntries(context: Context): LeaderboardHandlers['listUserEntries'] {
  return async (request): Promise<EntryList> => {
    const page = pageOf(request, { normal: 1000 });
    if (!isUuid(request.userId) || request.tag.includes('\0')) return { entries: [], total: 0 };
    const where = { userId: request.userId, ...(request.tag === '' ? {} : { tag: request.tag }) };
    const { entries, total } = await entriesByScore(context.prisma, where, page);
    return { entries: entries.map(presentEntry), total };
  };
}
