import { randomUUID } from 'node:crypto';
import { entriesChanged } from '@husky/contracts/events';
import { at, json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { Entry, PrismaClient } from '../generated/client.ts';

/** Advisory lock that serializes all writers of entries (README, Decision 3). */
export const entriesLock = sql`SELECT pg_advisory_xact_lock(hashtext('husky.leaderboard.entries'))`;

/** Runs a transaction that changes entries, serialized by the entries lock. */
export function changeEntries<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query(entriesLock);
    return work(client);
  });
}

/** The columns of EntryRow. */
export const entryColumns = sql`entries.id, entries.user_id AS "userId", entries.score_cents AS "scoreCents", entries.tag,
  entries.applied_jobs AS "appliedJobs", entries.created_at AS "createdAt", entries.result_at AS "resultAt"`;

/** An entry as node-postgres returns it: 64-bit integers are texts. */
export type EntryRow = Omit<Entry, 'scoreCents'> & { readonly scoreCents: string };

export const entryOf = (row: EntryRow): Entry => ({ ...row, scoreCents: BigInt(row.scoreCents) });

const byScore = [{ scoreCents: 'desc' as const }, { id: 'asc' as const }];

/** Returns a page of entries, best first, with their total. `ranks`: 1 + the number of higher scores, of these entries. */
export async function entriesByScore(
  prisma: PrismaClient,
  where: { readonly userId?: string; readonly tag?: string },
  page: { readonly skip: number; readonly take: number },
): Promise<{ entries: Entry[]; ranks: number[]; total: number }> {
  const [entries, total] = await Promise.all([
    prisma.entry.findMany({ where, orderBy: byScore, ...page }),
    prisma.entry.count({ where }),
  ]);
  const scores = entries.map(({ scoreCents }) => scoreCents);
  // Entries of the page before may have the score of the first one.
  const [best] = scores;
  const above = best === undefined ? 0 : await prisma.entry.count({ where: { ...where, scoreCents: { gt: best } } });
  const ranks = scores.map((score) => 1 + (score === best ? above : page.skip + scores.indexOf(score)));
  return { entries, ranks, total };
}

/** Adds an entry within changeEntries. NOT_FOUND for a deleted user. */
export async function addEntry(
  client: pg.PoolClient,
  { userId, scoreCents, tag }: { readonly userId: string; readonly scoreCents: number; readonly tag: string },
  now: number,
): Promise<Entry> {
  const { rows } = await client.query<EntryRow>(
    sql`INSERT INTO entries (id, user_id, score_cents, tag, created_at, result_at)
        SELECT ${randomUUID()}, ${userId}, ${scoreCents}, ${tag}, ${at(now)}, ${at(now)}
        WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = ${userId}) RETURNING ${entryColumns}`,
  );
  if (rows[0] === undefined) throw new DomainError('NOT_FOUND', 'user-not-found', 'User not found');
  await emitChanged(client, rows);
  return entryOf(rows[0]);
}

/**
 * Adds the entries of a tournament, within changeEntries, except those of deleted users. Their ids follow from those of tournament and user, so that a
 * second call adds none.
 */
export async function addTournament(
  client: pg.PoolClient,
  {
    tournamentId,
    tag,
    scores,
  }: { tournamentId: string; tag: string; scores: readonly { userId: string; scoreCents: number }[] },
  now: number,
): Promise<void> {
  const { rows } = await client.query<EntryRow>(
    sql`INSERT INTO entries (id, user_id, score_cents, tag, created_at, result_at)
        SELECT md5(${tournamentId} || s."userId")::uuid, s."userId"::uuid, s."scoreCents", ${tag}, ${at(now)}, ${at(now)}
        FROM jsonb_to_recordset(${json(scores)}) AS s("userId" text, "scoreCents" bigint)
        WHERE NOT EXISTS (SELECT FROM deleted_users WHERE user_id = s."userId"::uuid)
        ON CONFLICT DO NOTHING RETURNING ${entryColumns}`,
  );
  await emitChanged(client, rows);
}

/** Returns an entry that exists, within changeEntries. */
export async function readEntry(client: pg.PoolClient, id: string): Promise<Entry> {
  const { rows } = await client.query<EntryRow>(sql`SELECT ${entryColumns} FROM entries WHERE id = ${id}`);
  return entryOf(rows[0] as EntryRow);
}

/** Deletes an entry and returns it, within changeEntries. Its deltas are kept with a null entry id. */
export async function removeEntry(client: pg.PoolClient, id: string): Promise<Entry | undefined> {
  const { rows } = await client.query<EntryRow>(sql`DELETE FROM entries WHERE id = ${id} RETURNING ${entryColumns}`);
  await emitChanged(client, rows);
  return rows.map(entryOf)[0];
}

/** Deletes a user's entries and inserts a tombstone, so that no new ones are added, within changeEntries. Idempotent. */
export async function removeUser(client: pg.PoolClient, userId: string, now: number): Promise<void> {
  await client.query(
    sql`INSERT INTO deleted_users (user_id, deleted_at) VALUES (${userId}, ${at(now)}) ON CONFLICT DO NOTHING`,
  );
  const { rows } = await client.query<EntryRow>(
    sql`DELETE FROM entries WHERE user_id = ${userId} RETURNING ${entryColumns}`,
  );
  await emitChanged(client, rows);
}

async function emitChanged(client: pg.PoolClient, entries: readonly Pick<Entry, 'userId' | 'tag'>[]): Promise<void> {
  if (entries.length === 0) return;
  const userIds = [...new Set(entries.map(({ userId }) => userId))];
  const tags = [...new Set(entries.map(({ tag }) => tag))];
  await emit(client, entriesChanged, { userIds, tags });
}
