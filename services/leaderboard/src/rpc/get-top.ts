import type { EntryList } from '@husky/contracts/types/leaderboard/v1/EntryList';
import type { GetTopRequest__Output } from '@husky/contracts/types/leaderboard/v1/GetTopRequest';
import { DomainError } from '@husky/runtime/errors';
import type { LeaderboardContext } from '../context.ts';
import { presentEntry } from '../present.ts';
import { topEntries } from '../store/entries.ts';

const mostEntries = 1000;

/** Anyone. */
export async function getTop(context: LeaderboardContext, request: GetTopRequest__Output): Promise<EntryList> {
  if (request.n < 1 || request.n > mostEntries) {
    throw new DomainError('INVALID_ARGUMENT', 'n-out-of-range', `n is between 1 and ${mostEntries}`);
  }
  if (request.tag.includes('\0')) return { entries: [] };
  return { entries: (await topEntries(context.db, request.n, request.tag)).map(presentEntry) };
}
