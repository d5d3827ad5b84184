import type { RemoveEntryResponse } from '@husky/contracts/types/leaderboard/v1/RemoveEntryResponse';
import { emitAudit } from '@husky/runtime/messages/audit';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { changeEntries, removeEntry as remove } from '../store/entries.ts';

/** Deletes an entry of any tag (README, Decision 4). */
export function removeEntry(context: Context): LeaderboardHandlers['removeEntry'] {
  return async (request, { caller: admin }): Promise<RemoveEntryResponse> => {
    const removed =
      isUuid(request.id) &&
      (await changeEntries(context.pool, async (client) => {
        const entry = await remove(client, request.id);
        if (!entry) return undefined;
        const before = { user_id: entry.userId, score: Number(entry.scoreCents) / 100, tag: entry.tag };
        await emitAudit(client, 'leaderboard', admin, {
          action: 'entry.removed',
          subjectKind: 'entry',
          subjectId: entry.id,
          before,
        });
        return entry;
      }));
    if (!removed) throw new DomainError('NOT_FOUND', 'entry-not-found', 'Leaderboard entry not found');
    context.relay.kick();
    return {};
  };
}
