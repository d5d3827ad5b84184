import type { Entry } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { EntryList } from '@husky/contracts/types/leaderboard/v1/EntryList';
import type { RemoveEntryResponse } from '@husky/contracts/types/leaderboard/v1/RemoveEntryResponse';
import { findCreated, keepRequestKey } from '@husky/runtime/database/created-once';
import { emitAudit } from '@husky/runtime/messages/audit';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { checkOwner, checkScore, checkTag, refuseLookalike } from '../domain/entry-rules.ts';
import { boardTags } from '../store/boards.ts';
import { addEntry as add, changeEntries, entriesByScore, readEntry, removeEntry as remove } from '../store/entries.ts';
import { presentEntry } from './jobs.ts';

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
    const { entries, ranks, total } = await entriesByScore(context.prisma, where, page);
    return { entries: entries.map((entry, at) => ({ ...presentEntry(entry), rank: ranks[at] })), total };
  };
}

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

/** Adds a score that an admin has entered. */
export function addEntry(context: Context): LeaderboardHandlers['addEntry'] {
  return async (request, { caller: admin }): Promise<Entry> => {
    const userId = checkOwner(request.userId);
    const scoreCents = checkScore(request.scoreCents);
    const tag = checkTag(request.tag);
    const added = await changeEntries(context.pool, async (client) => {
      const earlier = await findCreated(client, 'entries');
      if (earlier !== undefined) return readEntry(client, earlier);
      refuseLookalike(tag, await boardTags(client));
      const entry = await add(client, { userId, scoreCents, tag }, context.now());
      const after = { user_id: userId, score: scoreCents / 100, tag };
      await emitAudit(client, 'leaderboard', admin, {
        action: 'entry.added',
        subjectKind: 'entry',
        subjectId: entry.id,
        after,
      });
      await keepRequestKey(client, 'entries', entry.id);
      return entry;
    });
    context.relay.kick();
    return presentEntry(added);
  };
}

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
