import { at, sql } from '@husky/runtime/database/sql';
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

const tables = {
  job: { table: sql`unsettled_holds`, id: sql`job_id` },
  batch: { table: sql`unsettled_batch_holds`, id: sql`batch_id` },
} as const;

type Kind = keyof typeof tables;

/** Marks a hold at simulation as about to change. Until it is settled, the sweeper corrects it after a crash. */
export async function markHoldUnsettled(client: pg.PoolClient, kind: Kind, heldId: string, now: number): Promise<void> {
  const { table, id } = tables[kind];
  await client.query(
    sql`INSERT INTO ${table} (${id}, since) VALUES (${heldId}, ${at(now)})
        ON CONFLICT (${id}) DO UPDATE SET since = EXCLUDED.since`,
  );
}

export async function markHoldSettled(client: pg.PoolClient, kind: Kind, heldId: string): Promise<void> {
  const { table, id } = tables[kind];
  await client.query(sql`DELETE FROM ${table} WHERE ${id} = ${heldId}`);
}

/** Returns at most 100 ids of holds that have been unsettled since `before`, oldest first. */
export async function unsettledHolds(pool: pg.Pool, kind: Kind, before: number): Promise<string[]> {
  const { table, id } = tables[kind];
  const { rows } = await pool.query<{ id: string }>(
    sql`SELECT ${id} AS id FROM ${table} WHERE since <= ${at(before)} ORDER BY since LIMIT 100`,
  );
  return rows.map((row) => row.id);
}
