import type { Entry } from '@husky/contracts/types/leaderboard/v1/Entry';
import { emitAudit } from '@husky/runtime/messages/audit';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { checkOwner, checkScore, checkTag, refuseLookalike } from '../domain/entry-rules.ts';
import { presentEntry } from '../present.ts';
import { boardTags } from '../store/boards.ts';
import { addEntry as add, changeEntries } from '../store/entries.ts';

/** Adds a score that an admin has entered. */
export function addEntry(context: Context): LeaderboardHandlers['addEntry'] {
  return async (request, { caller: admin }): Promise<Entry> => {
    const userId = checkOwner(request.userId);
    const scoreCents = checkScore(request.scoreCents);
    const tag = checkTag(request.tag);
    const added = await changeEntries(context.pool, async (client) => {
      refuseLookalike(tag, await boardTags(client));
      const entry = await add(client, { userId, scoreCents, tag }, context.now());
      const after = { user_id: userId, score: scoreCents / 100, tag };
      await emitAudit(client, 'leaderboard', admin, {
        action: 'entry.added',
        subjectKind: 'entry',
        subjectId: entry.id,
        after,
      });
      return entry;
    });
    context.relay.kick();
    return presentEntry(added);
  };
}
