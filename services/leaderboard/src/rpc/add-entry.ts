import type { Entry } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { LeaderboardContext, LeaderboardHandlers } from '../context.ts';
import { checkOwner, checkScore, checkTag } from '../domain/entry-rules.ts';
import { presentEntry } from '../present.ts';
import { addEntry as add, audit } from '../store/entries.ts';

/** Adds a score that an admin has entered. */
export function addEntry(context: LeaderboardContext): LeaderboardHandlers['addEntry'] {
  return async (request, { caller: admin }): Promise<Entry> => {
    const userId = checkOwner(request.userId);
    const scoreCents = checkScore(request.scoreCents);
    const tag = checkTag(request.tag);
    const added = await context.transaction(async (tx) => {
      const entry = await add(tx, { userId, scoreCents, tag }, context.now());
      const after = { user_id: userId, score: scoreCents / 100, tag };
      await audit(tx, admin, { action: 'entry.added', subjectKind: 'entry', subjectId: entry.id, after });
      return entry;
    });
    return presentEntry(added);
  };
}
