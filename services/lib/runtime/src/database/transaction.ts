import type pg from 'pg';
import { createRetryBudget, retry } from '../process/retry.ts';

// serialization_failure and deadlock_detected: the transaction was rolled back whole.
const conflicts = new Set(['40001', '40P01']);
const maxAttempts = 4;
// A burst of conflicts is normal: the cancellation of a batch meets the heartbeats of all its runners.
const budget = createRetryBudget({ share: 0.1, reserve: 100 });

/**
 * Runs `work` in one transaction on one connection of the pool, at most four times: it is retried after a deadlock or a
 * serialization failure, beyond a burst in at most a tenth of the transactions. `work` must therefore have no effects other than those
 * on its connection.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let attempts = 0;
  return retry(
    async () => {
      attempts++;
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        return await onConnection(
          client,
          () => work(client),
          (failure) => {
            broken = failure;
          },
        );
      } finally {
        client.release(broken);
      }
    },
    {
      firstPauseMs: 5,
      budget,
      retryIf: (error) => attempts < maxAttempts && conflicts.has(String((error as { code?: unknown }).code)),
    },
  );
}

/**
 * Runs `work` once in a transaction of the caller's connection: COMMIT after it, ROLLBACK when it throws.
 * Calls `onBroken` when the rollback fails; the connection must not be used afterwards.
 */
export async function onConnection<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  onBroken: (failure: Error) => void = () => undefined,
): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}
