import { type Sql, sql } from '@husky/runtime/database/sql';
import type { Database } from '../../store/database.ts';
import { emptied, isEnded } from './exports.ts';

/** Deletes at most `limit` parts of the archives of ended exports. Returns how many were deleted. */
export function deleteParts(db: Database, limit: number): Promise<number> {
  return deleteRows(db, sql`export_parts`, sql`start`, limit);
}

/** Deletes at most `limit` entries of files in the archives of ended exports. Returns how many were deleted. */
export function deleteFiles(db: Database, limit: number): Promise<number> {
  return deleteRows(db, sql`export_files`, sql`path`, limit);
}

async function deleteRows(db: Database, table: Sql, key: Sql, limit: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    sql`DELETE FROM ${table} WHERE (export_id, ${key}) IN (SELECT found.export_id, found.${key} FROM exports e
      CROSS JOIN LATERAL (SELECT export_id, ${key} FROM ${table} WHERE export_id = e.id LIMIT ${limit}) AS found
      WHERE ${isEnded} LIMIT ${limit})`,
  );
  return rowCount ?? 0;
}

/** Empties at most `limit` exports that an earlier release has ended. Returns how many were emptied. */
export async function emptyEnded(db: Database, limit: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    sql`UPDATE exports SET ${emptied}
      WHERE id IN (SELECT id FROM exports WHERE ${isEnded} AND job_ids <> '{}' LIMIT ${limit})`,
  );
  return rowCount ?? 0;
}

/** Deletes at most `limit` exports that ended before `before` and have no archive any more. Returns how many were deleted. */
export async function deleteEndedBefore(db: Database, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    sql`DELETE FROM exports WHERE id IN (SELECT id FROM exports e WHERE ${isEnded} AND ended_at < ${before}
      AND NOT EXISTS (SELECT FROM export_parts WHERE export_id = e.id)
      AND NOT EXISTS (SELECT FROM export_files WHERE export_id = e.id) LIMIT ${limit})`,
  );
  return rowCount ?? 0;
}
