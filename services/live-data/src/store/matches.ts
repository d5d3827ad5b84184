import { join, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import type { Caller } from '@husky/runtime/rpc/caller';
import type pg from 'pg';
import type { Match } from '../domain/match.ts';
import { handsRemoved, visibilityUnchanged } from '../domain/refusals.ts';
import { dropExportsOf } from '../exports/store/exports.ts';
import { sharedLock } from './batch-visibility.ts';
import type { Database } from './database.ts';
import { columnsOf, matchQuery } from './match-rows.ts';
import { changeMatch, removeMatch } from './totals.ts';

/** The fields of a match before its first attempt. Its visibility is that of its batch. */
export type NewMatch = Omit<
  Match,
  'isPublic' | 'currentAttempt' | 'acceptedAttempt' | 'firstHandAt' | 'hands' | 'handsRemovedAt' | 'logsRemovedAt'
> & { readonly profile: string };

export async function findMatch(db: Database, jobId: string): Promise<Match | null> {
  const { rows } = await db.pool.query<Match>(matchQuery(jobId));
  return rows[0] ?? null;
}

/** Returns those of these matches that are stored, in the order of their ids. */
export function findMatches(db: Database, jobIds: readonly string[]): Promise<Match[]> {
  return db.prisma.match.findMany({ where: { jobId: { in: [...jobIds] } }, orderBy: { jobId: 'asc' } });
}

/** Stores a match with the visibility of its batch; without one, `isPublic`. Returns false if it is stored already. */
export async function insertMatch(db: Database, match: NewMatch, isPublic = false): Promise<boolean> {
  const { batchId } = match;
  const { names, values } = columnsOf(match);
  const insert = sql`INSERT INTO matches (${join(names)}, is_public)
    VALUES (${join(values)}, coalesce((SELECT is_public FROM batch_visibility WHERE batch_id = ${batchId}::uuid), ${isPublic}))
    ON CONFLICT DO NOTHING`;
  if (batchId === null) return (await db.pool.query(insert)).rowCount === 1;
  return inTransaction(db.pool, async (client) => {
    // A statement of its own: the next one must see what was committed before it had the lock.
    await client.query(sharedLock(batchId));
    return (await client.query(insert)).rowCount === 1;
  });
}

/** Returns the next matches in the order of their ids that were opened before `before` and have not ended. */
export async function unfinishedMatches(db: Database, before: Date, afterJobId: string, limit: number) {
  const { rows } = await db.pool.query<{ readonly jobId: string }>(
    sql`SELECT job_id AS "jobId" FROM matches
      WHERE status IN ('Pending', 'Running') AND created_at < ${before} AND job_id > ${afterJobId}::uuid ORDER BY job_id LIMIT ${limit}`,
  );
  return rows;
}

/** Returns the match with its row locked until the transaction ends. */
export async function lockMatch(client: pg.PoolClient, jobId: string): Promise<Match | null> {
  const { rows } = await client.query<Match>(sql`${matchQuery(jobId)} FOR UPDATE`);
  return rows[0] ?? null;
}

/** Toggles a match's visibility, with an audit event. Returns null for an unknown match. Throws ABORTED if it is already as `requested`. */
export function toggleVisibility(
  db: Database,
  jobId: string,
  requested: boolean | undefined,
  by: Caller,
): Promise<Match | null> {
  return inTransaction(db.pool, async (client) => {
    const match = await lockMatch(client, jobId);
    if (match === null) return null;
    if (match.isPublic === requested) throw visibilityUnchanged(requested);
    if (match.handsRemovedAt !== null) throw handsRemoved(match.handsRemovedAt);
    const change = { before: { public: match.isPublic }, after: { public: !match.isPublic } };
    const entry = { action: 'job.visibility_changed', subjectKind: 'job', subjectId: jobId, ...change };
    await emitAudit(client, 'live_data', by, entry);
    return changeMatch(client, match, { isPublic: !match.isPublic, sealed: false });
  });
}

/**
 * Marks a match without a result as failed after `attempt`. The hands of its last attempt remain readable. Idempotent. No effect if a newer
 * attempt is open, since the match is played again.
 */
export function failMatch(db: Database, jobId: string, attempt: number, reason: string): Promise<Match | null> {
  return inTransaction(db.pool, async (client) => {
    const match = await lockMatch(client, jobId);
    if (match === null || match.acceptedAttempt !== null || match.currentAttempt > attempt) return match;
    const { rows } = await client.query<{ hands: number }>(
      sql`SELECT hands FROM attempts WHERE job_id = ${jobId}::uuid AND attempt = ${match.currentAttempt}`,
    );
    return changeMatch(client, match, { status: 'Failed', hands: rows[0]?.hands ?? 0, endReason: reason });
  });
}

export interface PurgedMatch {
  /** Number of its readable hands. */
  readonly hands: number;
  /** Number of exports that were dropped. Their archives are deleted afterwards (makeExports). */
  readonly exports: number;
}

/** Deletes a match with everything stored about it. Returns null for an unknown match. */
export function purgeMatch(db: Database, jobId: string): Promise<PurgedMatch | null> {
  return inTransaction(db.pool, async (client) => {
    const match = await lockMatch(client, jobId);
    if (match === null) return null;
    const attempt = match.acceptedAttempt ?? match.currentAttempt;
    const { rows } = await client.query<{ hands: number }>(
      sql`SELECT hands FROM attempts WHERE job_id = ${jobId}::uuid AND attempt = ${attempt}`,
    );
    const exports = await dropExportsOf(client, jobId);
    await removeMatch(client, match);
    return { hands: rows[0]?.hands ?? 0, exports };
  });
}
