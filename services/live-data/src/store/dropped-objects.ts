import { ids, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { Database } from './database.ts';

/**
 * Marks the objects of matches for deletion, within the transaction that deletes the matches or their hands. Returns how many there
 * were, and the sums of those that held the only copy of the hands.
 */
export async function dropObjects(
  client: pg.PoolClient,
  jobIds: readonly string[],
): Promise<{ readonly objects: number; readonly hands: number; readonly bytes: number }> {
  const { rows } = await client.query<{ objects: number; hands: number; bytes: number }>(
    sql`WITH dropped AS (UPDATE archived_hands SET deleted_at = now() WHERE job_id = ANY (${ids(jobIds)}) AND deleted_at IS NULL
        RETURNING hands, bytes, archived_at)
      SELECT count(*)::int AS objects, coalesce(sum(hands) FILTER (WHERE archived_at IS NOT NULL), 0)::float8 AS hands,
        coalesce(sum(bytes) FILTER (WHERE archived_at IS NOT NULL), 0)::float8 AS bytes FROM dropped`,
  );
  return rows[0] ?? { objects: 0, hands: 0, bytes: 0 };
}

/** Marks the objects of matches that were deleted without dropObjects, such as by an earlier release after a rollback. */
export async function dropOrphans(db: Database): Promise<void> {
  await db.pool.query(
    sql`UPDATE archived_hands a SET deleted_at = now() WHERE deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM matches m WHERE m.job_id = a.job_id AND m.hands_removed_at IS NULL)`,
  );
}

/**
 * Returns the ids of matches whose objects are to be deleted now, those never tried first. Reads only these rows, from the partial index
 * archived_hands_to_delete.
 */
export async function objectsToDelete(db: Database, limit: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ job_id: string }>(
    sql`SELECT job_id FROM archived_hands WHERE deleted_at IS NOT NULL AND coalesce(delete_after, '-infinity') < now()
      ORDER BY coalesce(delete_after, '-infinity'), job_id LIMIT ${limit}`,
  );
  return rows.map((row) => row.job_id);
}

/** Records that the deletion of an object failed. It is tried again after five minutes, in a later run. */
export async function postponeDeletion(db: Database, jobId: string): Promise<void> {
  await db.pool.query(
    sql`UPDATE archived_hands SET delete_after = now() + interval '5 minutes' WHERE job_id = ${jobId}::uuid AND deleted_at IS NOT NULL`,
  );
}

/**
 * Records that an object was deleted. Forgets it if its match was deleted more than an hour ago. Otherwise it is deleted once more then,
 * since a bucket may complete a PUT whose client has given up.
 */
export async function recordDeletion(db: Database, jobId: string): Promise<void> {
  await db.pool.query(
    sql`WITH forgotten AS (DELETE FROM archived_hands WHERE job_id = ${jobId}::uuid AND deleted_at < now() - interval '1 hour')
      UPDATE archived_hands SET delete_after = deleted_at + interval '1 hour'
      WHERE job_id = ${jobId}::uuid AND deleted_at >= now() - interval '1 hour'`,
  );
}
