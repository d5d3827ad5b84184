import type pg from 'pg';

/**
 * Runs one job's application or its inverse at a time, over all replicas, the calls to simulation in between included:
 * a late release could otherwise undo the hold of a newer application. `work` gets the connection that holds the lock.
 */
export async function withJobLock<T>(
  pool: pg.Pool,
  jobId: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('husky.leaderboard.job.' || $1, 0))`, [jobId]);
    try {
      return await work(client);
    } finally {
      await client
        .query(`SELECT pg_advisory_unlock(hashtextextended('husky.leaderboard.job.' || $1, 0))`, [jobId])
        .catch(() => {
          // A connection that cannot unlock must not go back to the pool with its lock.
          broken = true;
        });
    }
  } finally {
    client.release(broken);
  }
}

/** One transaction on a connection of one's own. */
export async function inTransaction<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
