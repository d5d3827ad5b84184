import type pg from 'pg';

const tries = 4;
// serialization_failure and deadlock_detected: the transaction was rolled back whole and may be done again.
const again = new Set(['40001', '40P01']);

/**
 * Runs `work` in one transaction on one connection of the pool. After a deadlock or a serialization failure it is run
 * again, up to four times in all, so it must have no effects but those on its connection.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      if (attempt === tries || !again.has(String((error as { code?: unknown }).code))) throw error;
    } finally {
      client.release(broken);
    }
  }
}
