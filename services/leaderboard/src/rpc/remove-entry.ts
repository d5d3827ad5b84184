import type { EntryIdRequest__Output } from '@husky/contracts/types/leaderboard/v1/EntryIdRequest';
import type { RemoveEntryResponse } from '@husky/contracts/types/leaderboard/v1/RemoveEntryResponse';
import type { AdminCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import { isUuid } from '@husky/runtime/uuid';
import type { LeaderboardContext } from '../context.ts';
import { audit, removeEntry as remove } from '../store/entries.ts';

/** Deletes an entry of any tag (README, Decision 3). */
export async function removeEntry(
  context: LeaderboardContext,
  request: EntryIdRequest__Output,
  { caller: admin }: Call<AdminCaller>,
): Promise<RemoveEntryResponse> {
  const removed =
    isUuid(request.id) &&
    (await context.transaction(async (tx) => {
      const entry = await remove(tx, request.id);
      if (!entry) return undefined;
      const before = { user_id: entry.userId, score: Number(entry.scoreCents) / 100, tag: entry.tag };
      await audit(tx, admin, { action: 'entry.removed', subjectKind: 'entry', subjectId: entry.id, before });
      return entry;
    }));
  if (!removed) throw new DomainError('NOT_FOUND', 'entry-not-found', 'Leaderboard entry not found');
  return {};
}
