import { sql } from '@husky/runtime/sql';
import type { Database } from './database.ts';

/**
 * Runs `work` while holding the advisory lock of a background job; does nothing if another replica holds it. The lock's connection
 * is used for nothing else, so that it ends with the process.
 */
export async function withWorkLock(db: Database, name: string, work: () => Promise<void>): Promise<void> {
  const lock = sql`hashtext(${`husky.live_data.${name}`})`;
  const client = await db.pool.connect();
  let failure: Error | undefined;
  try {
    const { rows } = await client.query<{ acquired: boolean }>(sql`SELECT pg_try_advisory_lock(${lock}) AS acquired`);
    if (rows[0]?.acquired !== true) return;
    try {
      await work();
    } finally {
      await client.query(sql`SELECT pg_advisory_unlock(${lock})`);
    }
  } catch (error) {
    // The connection may still hold the lock.
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}
