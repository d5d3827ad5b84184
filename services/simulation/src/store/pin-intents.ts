import type pg from 'pg';

/** Written before anything is pinned for a holder, so that a crash leaves a trace. */
export async function openIntent(pool: pg.Pool, holderId: string, now: number): Promise<void> {
  await pool.query('INSERT INTO pin_intents (holder_id, created_at) VALUES ($1, $2)', [holderId, new Date(now)]);
}

/** In the transaction that makes the holder, or after its pins have been released. */
export async function closeIntent(client: pg.ClientBase | pg.Pool, holderId: string): Promise<boolean> {
  const { rowCount } = await client.query('DELETE FROM pin_intents WHERE holder_id = $1', [holderId]);
  return rowCount === 1;
}

export async function staleIntents(pool: pg.Pool, before: number): Promise<string[]> {
  const { rows } = await pool.query<{ holder_id: string }>(
    'SELECT holder_id FROM pin_intents WHERE created_at < $1 ORDER BY created_at LIMIT 100',
    [new Date(before)],
  );
  return rows.map((row) => row.holder_id);
}
