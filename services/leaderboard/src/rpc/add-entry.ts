import type { AddEntryRequest__Output } from '@husky/contracts/types/leaderboard/v1/AddEntryRequest';
import type { Entry } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { AdminCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { LeaderboardContext } from '../context.ts';
import { checkOwner, checkScore, checkTag } from '../domain/entry-rules.ts';
import { presentEntry } from '../present.ts';
import { addEntry as add, audit } from '../store/entries.ts';

/** Adds a score by hand. */
export async function addEntry(
  context: LeaderboardContext,
  request: AddEntryRequest__Output,
  { caller: admin }: Call<AdminCaller>,
): Promise<Entry> {
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
}
