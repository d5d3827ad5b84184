import type pg from 'pg';

/** Before a hold at simulation changes: whatever happens then, the sweeper makes it right. */
export async function noteBatchUnsettled(client: pg.PoolClient, batchId: string, now: Date): Promise<void> {
  await client.query(
    `INSERT INTO unsettled_batch_holds (batch_id, since) VALUES ($1, $2)
     ON CONFLICT (batch_id) DO UPDATE SET since = EXCLUDED.since`,
    [batchId, now],
  );
}

export async function noteBatchSettled(client: pg.PoolClient, batchId: string): Promise<void> {
  await client.query('DELETE FROM unsettled_batch_holds WHERE batch_id = $1', [batchId]);
}

export async function unsettledBatchesSince(pool: pg.Pool, before: Date): Promise<string[]> {
  const { rows } = await pool.query<{ batch_id: string }>(
    'SELECT batch_id FROM unsettled_batch_holds WHERE since <= $1 ORDER BY since LIMIT 100',
    [before],
  );
  return rows.map((row) => row.batch_id);
}
