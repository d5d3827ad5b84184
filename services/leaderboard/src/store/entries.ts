import { randomUUID } from 'node:crypto';
import { entriesChanged } from '@husky/contracts/events';
import { type AuditEntry, emitAudit } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { emit } from '@husky/runtime/outbox';
import type { Entry } from '../generated/client.ts';
import type { Db } from './database.ts';

const byScore = [{ scoreCents: 'desc' as const }, { id: 'asc' as const }];

/** Returns a page of entries, best first, and their total. */
export async function entriesByScore(
  db: Db,
  where: { readonly userId?: string; readonly tag?: string },
  page: { readonly skip: number; readonly take: number },
): Promise<{ entries: Entry[]; total: number }> {
  const [entries, total] = await Promise.all([
    db.entry.findMany({ where, orderBy: byScore, ...page }),
    db.entry.count({ where }),
  ]);
  return { entries, total };
}

export async function addEntry(
  tx: Db,
  entry: { readonly userId: string; readonly scoreCents: number; readonly tag: string },
  now: Date,
): Promise<Entry> {
  const deleted = await tx.deletedUser.findUnique({ where: { userId: entry.userId } });
  if (deleted) throw new DomainError('NOT_FOUND', 'user-not-found', 'User not found');
  const added = await tx.entry.create({
    data: { ...entry, id: randomUUID(), scoreCents: BigInt(entry.scoreCents), createdAt: now },
  });
  await emitChanged(tx, [added]);
  return added;
}

/** Deletes an entry and returns it. Its deltas are kept with a null entry id. */
export async function removeEntry(tx: Db, id: string): Promise<Entry | undefined> {
  const entry = await tx.entry.findUnique({ where: { id } });
  if (!entry) return undefined;
  await tx.entry.delete({ where: { id } });
  await emitChanged(tx, [entry]);
  return entry;
}

/** Deletes a user's entries and inserts a tombstone, so that no new ones are added. Idempotent. */
export async function removeUser(tx: Db, userId: string, now: Date): Promise<void> {
  await tx.deletedUser.createMany({ data: [{ userId, deletedAt: now }], skipDuplicates: true });
  const entries = await tx.entry.findMany({ where: { userId } });
  if (entries.length === 0) return;
  await tx.entry.deleteMany({ where: { userId } });
  await emitChanged(tx, entries);
}

async function emitChanged(tx: Db, entries: readonly Pick<Entry, 'userId' | 'tag'>[]): Promise<void> {
  const userIds = [...new Set(entries.map(({ userId }) => userId))];
  const tags = [...new Set(entries.map(({ tag }) => tag))];
  await emit(tx, entriesChanged, { userIds, tags });
}

/** Writes the audit record of a change in its transaction. */
export function audit(tx: Db, caller: Caller, entry: AuditEntry): Promise<void> {
  return emitAudit(tx, 'leaderboard', caller, entry);
}
