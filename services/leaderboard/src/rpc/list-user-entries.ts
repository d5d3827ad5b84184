import type { EntryList } from '@husky/contracts/types/leaderboard/v1/EntryList';
import type { ListUserEntriesRequest__Output } from '@husky/contracts/types/leaderboard/v1/ListUserEntriesRequest';
import { isUuid } from '@husky/runtime/uuid';
import type { LeaderboardContext } from '../context.ts';
import { presentEntry } from '../present.ts';
import { entriesOf } from '../store/entries.ts';

/** Anyone: they are on the user's public profile. That /leaderboard/user is for the verified is the gateway's rule. */
export async function listUserEntries(
  context: LeaderboardContext,
  request: ListUserEntriesRequest__Output,
): Promise<EntryList> {
  if (!isUuid(request.userId) || request.tag.includes('\0')) return { entries: [] };
  return { entries: (await entriesOf(context.db, request.userId, request.tag)).map(presentEntry) };
}
