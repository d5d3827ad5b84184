import { at, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';

// Transactions that create something for a user share the user's lock. The tombstone is inserted under the exclusive lock: it waits for
// those under way, whose jobs are then found and ended, and later ones are refused.
const lockClass = 14;

/** Inserts the tombstone of a deleted user. Idempotent. */
export function addTombstone(pool: pg.Pool, userId: string, now: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${lockClass}))`);
    await client.query(
      sql`INSERT INTO deleted_users (user_id, deleted_at) VALUES (${userId}, ${at(now)}) ON CONFLICT DO NOTHING`,
    );
  });
}

/** Returns whether a user has been deleted. A deletion waits until the transaction ends. */
export async function isDeleted(client: pg.ClientBase, userId: string): Promise<boolean> {
  await client.query(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${userId}, ${lockClass}))`);
  const { rowCount } = await client.query(sql`SELECT FROM deleted_users WHERE user_id = ${userId}`);
  return rowCount === 1;
}

/** Throws UNAUTHENTICATED if the user has been deleted. A deletion waits until the transaction ends. */
export async function refuseDeleted(client: pg.ClientBase, userId: string): Promise<void> {
  if (await isDeleted(client, userId)) {
    throw new DomainError('UNAUTHENTICATED', 'user-deleted', 'This account has been deleted');
  }
}
