import { at, sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';

/** Records that pins will be requested for a holder, so that the sweeper can release them after a crash. */
export async function openIntent(pool: pg.Pool, holderId: string, now: number): Promise<void> {
  await pool.query(sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${holderId}, ${at(now)})`);
}

/** Closes an intent in the transaction that inserts the holder. Throws ABORTED if the pins are being released or were released. */
export async function closeIntent(client: pg.ClientBase, holderId: string): Promise<void> {
  const { rowCount } = await client.query(sql`DELETE FROM pin_intents WHERE holder_id = ${holderId} AND NOT releasing`);
  if (rowCount === 1) return;
  throw new DomainError('ABORTED', 'pins-released', 'This took too long and was not started. Try again.');
}

/**
 * Call it before the pins of an intent are released: from then on closeIntent throws. Waits for a commit that is under way. Returns
 * false, without a change, if there is no intent.
 */
export async function beginRelease(pool: pg.Pool, holderId: string): Promise<boolean> {
  const { rowCount } = await pool.query(sql`UPDATE pin_intents SET releasing = true WHERE holder_id = ${holderId}`);
  return rowCount === 1;
}

/**
 * Opens an intent again if the sweeper has released its pins and deleted it: pins may have been added since then. Returns false, without
 * a change, if the holder exists and keeps its pins. A holder is a job, the deal set of a duplicate match, a batch or what a tournament names.
 */
export async function reopenIntent(pool: pg.Pool, holderId: string, now: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    sql`INSERT INTO pin_intents (holder_id, created_at, releasing)
        SELECT id, ${at(now)}, true FROM (SELECT ${holderId}::uuid AS id) holder
        WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.id = holder.id)
          AND NOT EXISTS (SELECT FROM deal_sets d WHERE d.id = holder.id)
          AND NOT EXISTS (SELECT FROM batches b WHERE b.id = holder.id)
          AND NOT EXISTS (SELECT FROM tournaments t WHERE t.pin_holder = holder.id)`,
  );
  return rowCount === 1;
}

/** Deletes an intent whose pins have been released. */
export async function finishRelease(pool: pg.Pool, holderId: string): Promise<void> {
  await pool.query(sql`DELETE FROM pin_intents WHERE holder_id = ${holderId}`);
}

/**
 * Returns at most 100 holders of intents opened before a time (ms since the epoch), in random order, so that failing ones are not always
 * first.
 */
export async function staleIntents(pool: pg.Pool, before: number): Promise<string[]> {
  const { rows } = await pool.query<{ holderId: string }>(
    sql`SELECT holder_id AS "holderId" FROM pin_intents WHERE created_at < ${at(before)} ORDER BY random() LIMIT 100`,
  );
  return rows.map((row) => row.holderId);
}
