import type pg from 'pg';

const tables = {
  job: { table: 'unsettled_holds', id: 'job_id' },
  batch: { table: 'unsettled_batch_holds', id: 'batch_id' },
} as const;

type Kind = keyof typeof tables;

/** Marks a hold at simulation as about to change. Until it is settled, the sweeper corrects it after a crash. */
export async function markHoldUnsettled(client: pg.PoolClient, kind: Kind, heldId: string, now: Date): Promise<void> {
  const { table, id } = tables[kind];
  await client.query(
    `INSERT INTO ${table} (${id}, since) VALUES ($1, $2) ON CONFLICT (${id}) DO UPDATE SET since = EXCLUDED.since`,
    [heldId, now],
  );
}

export async function markHoldSettled(client: pg.PoolClient, kind: Kind, heldId: string): Promise<void> {
  const { table, id } = tables[kind];
  await client.query(`DELETE FROM ${table} WHERE ${id} = $1`, [heldId]);
}

/** Returns at most 100 ids of holds that have been unsettled since `before`, oldest first. */
export async function unsettledHolds(pool: pg.Pool, kind: Kind, before: Date): Promise<string[]> {
  const { table, id } = tables[kind];
  const { rows } = await pool.query<{ id: string }>(
    `SELECT ${id} AS id FROM ${table} WHERE since <= $1 ORDER BY since LIMIT 100`,
    [before],
  );
  return rows.map((row) => row.id);
}
