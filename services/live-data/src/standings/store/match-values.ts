import { sql } from '@husky/runtime/database/sql';
import type { Context } from '../../context.ts';
import type { Match } from '../../domain/match.ts';
import type { Database } from '../../store/database.ts';
import { findMatches } from '../../store/matches.ts';
import { sumsOfValues, unpackValues } from '../domain/match-values.ts';

export interface StoredValues {
  readonly version: number;
  /** domain/match-values.ts */
  readonly bytes: Uint8Array;
}

/**
 * Stores the values of a finished match. Replaces those of the same version. Does nothing if the match was deleted or another attempt
 * was accepted. Idempotent.
 */
export async function putValues(
  db: Database,
  jobId: string,
  attempt: number,
  { version, bytes }: StoredValues,
): Promise<void> {
  await db.pool.query(
    sql`INSERT INTO match_values (job_id, version, attempt, bytes, sums)
      SELECT job_id, ${version}::integer, accepted_attempt, ${Buffer.from(bytes)}::bytea, ${sumsOfValues(bytes)}::bigint[] FROM matches
      WHERE job_id = ${jobId}::uuid AND accepted_attempt = ${attempt} FOR SHARE
      ON CONFLICT (job_id, version) DO UPDATE SET attempt = excluded.attempt, bytes = excluded.bytes, sums = excluded.sums`,
  );
}

/** Returns the values of a match's accepted attempt, of the newest version that is stored; null if there are none. */
async function findValues(db: Database, jobId: string): Promise<StoredValues | null> {
  const { rows } = await db.pool.query<StoredValues>(
    sql`SELECT v.version, v.bytes FROM match_values v JOIN matches m ON m.job_id = v.job_id AND m.accepted_attempt = v.attempt
      WHERE v.job_id = ${jobId}::uuid ORDER BY v.version DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Returns the next finished matches in the order of their ids that have no values of this version. */
export async function matchesWithoutValues(
  db: Database,
  version: number,
  afterJobId: string,
  limit: number,
): Promise<Match[]> {
  const { rows } = await db.pool.query<{ job_id: string }>(
    sql`SELECT m.job_id FROM matches m
      LEFT JOIN match_values v ON v.job_id = m.job_id AND v.attempt = m.accepted_attempt AND v.version = ${version}
      WHERE m.accepted_attempt IS NOT NULL AND m.hands_removed_at IS NULL AND v.job_id IS NULL AND m.job_id > ${afterJobId}::uuid
      ORDER BY m.job_id LIMIT ${limit}`,
  );
  return findMatches(
    db,
    rows.map((row) => row.job_id),
  );
}

/**
 * Deletes at most `limit` values of earlier versions, of matches from `fromJobId` on that have values of this version, in the order of
 * their ids. Returns the last of these ids; null if there was none.
 */
export async function deleteValuesBefore(
  db: Database,
  version: number,
  fromJobId: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await db.pool.query<{ job_id: string }>(
    sql`WITH old AS (
        SELECT old.job_id, old.version FROM match_values old
        JOIN match_values present ON present.job_id = old.job_id AND present.version = ${version}
        WHERE old.version < ${version} AND old.job_id >= ${fromJobId}::uuid ORDER BY old.job_id LIMIT ${limit}
      ), deleted AS (
        DELETE FROM match_values v USING old WHERE v.job_id = old.job_id AND v.version = old.version
      ) SELECT job_id FROM old ORDER BY job_id DESC LIMIT 1`,
  );
  return rows[0]?.job_id ?? null;
}

/** Adjusted nets of a finished match (docs/methodology.md, Luck). */
export interface MatchValues {
  /** LUCK_VERSION with which they were computed. */
  readonly version: number;
  /** By seat: the cumulative adjusted net after each hand, in chips with two decimals. */
  readonly cumulative: readonly (readonly number[])[];
}

/** Returns the stored values of a match; null while they are not computed, and for a match that is not finished. */
export async function loadMatchValues(context: Pick<Context, 'db'>, jobId: string): Promise<MatchValues | null> {
  const stored = await findValues(context.db, jobId);
  return stored && { version: stored.version, cumulative: unpackValues(stored.bytes) };
}
