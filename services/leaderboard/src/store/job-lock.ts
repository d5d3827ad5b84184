import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';

/**
 * Serializes the application and removal of one job over all replicas by an advisory lock, including the calls to simulation: a
 * late release could otherwise undo the hold of a newer application. `work` gets the connection that has the lock.
 */
export function withJobLock<T>(pool: pg.Pool, jobId: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return withLock(pool, `husky.leaderboard.job.${jobId}`, work);
}

/** Does the same as `withJobLock` for a batch. */
export function withBatchLock<T>(
  pool: pg.Pool,
  batchId: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return withLock(pool, `husky.leaderboard.batch.${batchId}`, work);
}

async function withLock<T>(pool: pg.Pool, name: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(sql`SELECT pg_advisory_lock(hashtextextended(${name}, 0))`);
    try {
      return await work(client);
    } finally {
      await client.query(sql`SELECT pg_advisory_unlock(hashtextextended(${name}, 0))`).catch(() => {
        // A connection that cannot unlock must not return to the pool with its lock.
        broken = true;
      });
    }
  } finally {
    client.release(broken);
  }
}
