import { at, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';

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
