import { at, sql } from '@husky/runtime/sql';
import type pg from 'pg';

/** Records that pins will be requested for a holder, so that the sweeper can release them after a crash. */
export async function openIntent(pool: pg.Pool, holderId: string, now: number): Promise<void> {
  await pool.query(sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${holderId}, ${at(now)})`);
}

/** Closes an intent. Call it in the transaction that inserts the holder, or after its pins have been released. */
export async function closeIntent(client: pg.ClientBase | pg.Pool, holderId: string): Promise<void> {
  await client.query(sql`DELETE FROM pin_intents WHERE holder_id = ${holderId}`);
}

/** Returns at most 100 holders of intents opened before a time (ms since the epoch), oldest first. */
export async function staleIntents(pool: pg.Pool, before: number): Promise<string[]> {
  const { rows } = await pool.query<{ holderId: string }>(
    sql`SELECT holder_id AS "holderId" FROM pin_intents WHERE created_at < ${at(before)} ORDER BY created_at LIMIT 100`,
  );
  return rows.map((row) => row.holderId);
}
