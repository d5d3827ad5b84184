import type { EntryIdRequest__Output } from '@husky/contracts/types/leaderboard/v1/EntryIdRequest';
import type { RemoveEntryResponse } from '@husky/contracts/types/leaderboard/v1/RemoveEntryResponse';
import { requireAdmin } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { LeaderboardContext } from '../context.ts';
import { isUuid } from '../domain/entry-rules.ts';
import { removeEntry as remove } from '../store/entries.ts';

/** Admins; entries of any tag (README, Decision 3). */
export async function removeEntry(
  context: LeaderboardContext,
  request: EntryIdRequest__Output,
  call: Call,
): Promise<RemoveEntryResponse> {
  requireAdmin(call.caller);
  const found = isUuid(request.id) && (await context.transaction((tx) => remove(tx, request.id)));
  if (!found) throw new DomainError('NOT_FOUND', 'entry-not-found', 'Leaderboard entry not found');
  return {};
}
