import { ids, sql } from '@husky/runtime/sql';
import type pg from 'pg';
import type { Database } from './database.ts';

/**
 * Marks the objects of matches for deletion, within the transaction that deletes the matches or their hands. Returns the sums of those
 * that held the only copy of the hands.
 */
export async function dropObjects(
  client: pg.PoolClient,
  jobIds: readonly string[],
): Promise<{ readonly hands: number; readonly bytes: number }> {
  const { rows } = await client.query<{ hands: number; bytes: number }>(
    sql`WITH dropped AS (UPDATE archived_hands SET deleted_at = now() WHERE job_id = ANY (${ids(jobIds)}) AND deleted_at IS NULL
        RETURNING hands, bytes, archived_at)
      SELECT coalesce(sum(hands), 0)::float8 AS hands, coalesce(sum(bytes), 0)::float8 AS bytes
      FROM dropped WHERE archived_at IS NOT NULL`,
  );
  return rows[0] ?? { hands: 0, bytes: 0 };
}

/** Marks the objects of matches that were deleted without dropObjects, such as by an earlier release after a rollback. */
export async function dropOrphans(db: Database): Promise<void> {
  await db.pool.query(
    sql`UPDATE archived_hands a SET deleted_at = now() WHERE deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM matches m WHERE m.job_id = a.job_id AND m.hands_removed_at IS NULL)`,
  );
}

/** Returns the ids of matches whose objects are to be deleted and were not tried since `triedBefore`, the least recently tried first. */
export async function objectsToDelete(db: Database, triedBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ job_id: string }>(
    sql`SELECT job_id FROM archived_hands
      WHERE deleted_at IS NOT NULL AND (delete_tried_at IS NULL OR delete_tried_at < ${triedBefore})
      ORDER BY delete_tried_at NULLS FIRST, job_id LIMIT ${limit}`,
  );
  return rows.map((row) => row.job_id);
}

/** Records that a run tries to delete an object. */
export async function recordDeletion(db: Database, jobId: string, runStartedAt: Date): Promise<void> {
  await db.pool.query(
    sql`UPDATE archived_hands SET delete_tried_at = ${runStartedAt} WHERE job_id = ${jobId}::uuid AND deleted_at IS NOT NULL`,
  );
}

/**
 * Forgets an object that was just deleted, if its match was deleted more than an hour ago. Before, a bucket may still complete a PUT whose
 * client has given up, and the object must be deleted again.
 */
export async function forgetObject(db: Database, jobId: string): Promise<void> {
  await db.pool.query(
    sql`DELETE FROM archived_hands WHERE job_id = ${jobId}::uuid AND deleted_at < now() - interval '1 hour'`,
  );
}
