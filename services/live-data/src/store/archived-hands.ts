import { empty, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import { packObject, sha256Of } from '../domain/archive-object.ts';
import type { PackedChunk } from '../domain/record.ts';
import type { ArchivedHands } from '../generated/client.ts';
import type { Database } from './database.ts';
import { lockMatch } from './matches.ts';

/** The object of an attempt, as it is recorded before it is written. */
export type NewObject = Pick<ArchivedHands, 'jobId' | 'attempt' | 'hands' | 'bytes' | 'sha256'>;

/** A place in the order in which matches are archived. */
export interface ArchivePosition {
  readonly createdAt: Date;
  readonly jobId: string;
}

export interface ArchivableMatch extends ArchivePosition {
  readonly attempt: number;
  readonly hands: number;
}

/**
 * Returns the oldest finished match that was opened before `before`, is not archived, and comes after a position and not after `last`; null
 * if there is none.
 */
export async function nextToArchive(
  db: Database,
  before: Date,
  after: ArchivePosition,
  last: ArchivePosition | undefined,
): Promise<ArchivableMatch | null> {
  const until = last === undefined ? empty : sql`AND (created_at, job_id) <= (${last.createdAt}, ${last.jobId}::uuid)`;
  const { rows } = await db.pool.query<ArchivableMatch>(
    sql`SELECT job_id AS "jobId", accepted_attempt AS attempt, hands, created_at AS "createdAt" FROM matches
      WHERE accepted_attempt IS NOT NULL AND hands_archived_at IS NULL AND hands_removed_at IS NULL AND hands > 0
        AND created_at < ${before} AND (created_at, job_id) > (${after.createdAt}, ${after.jobId}::uuid) ${until}
      ORDER BY created_at, job_id LIMIT 1`,
  );
  return rows[0] ?? null;
}

export async function readChunks(db: Database, jobId: string, attempt: number): Promise<PackedChunk[]> {
  return db.prisma.chunk.findMany({ where: { jobId, attempt }, orderBy: { firstHand: 'asc' } });
}

/**
 * Records an object that is to be written, so that it is deleted with its match whatever happens. Replaces one of an interrupted run.
 * Returns false if the match or its hands were deleted.
 */
export async function planObject(db: Database, { jobId, attempt, hands, bytes, sha256 }: NewObject): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    sql`INSERT INTO archived_hands AS a (job_id, attempt, hands, bytes, sha256)
      SELECT job_id, ${attempt}::int, ${hands}::int, ${bytes}::int, ${Buffer.from(sha256)}::bytea FROM matches
      WHERE job_id = ${jobId}::uuid AND accepted_attempt = ${attempt} AND hands_removed_at IS NULL FOR SHARE
      ON CONFLICT (job_id) DO UPDATE SET attempt = excluded.attempt, hands = excluded.hands, bytes = excluded.bytes,
        sha256 = excluded.sha256 WHERE a.archived_at IS NULL AND a.deleted_at IS NULL`,
  );
  return rowCount === 1;
}

/**
 * Records that a planned object was written and deletes its chunks, in one transaction. Returns false if the match or its hands were
 * deleted meanwhile. Throws, and changes nothing, if the stored chunks are not those in the object.
 */
export function moveToArchive(db: Database, { jobId, attempt, sha256 }: NewObject, now: Date): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const match = await lockMatch(client, jobId);
    if (match === null || match.handsRemovedAt !== null) return false;
    const { rowCount } = await client.query(
      sql`UPDATE archived_hands SET archived_at = ${now} WHERE job_id = ${jobId}::uuid AND attempt = ${attempt}
        AND sha256 = ${Buffer.from(sha256)}::bytea AND archived_at IS NULL AND deleted_at IS NULL`,
    );
    if (rowCount !== 1) throw new Error(`match ${jobId} was archived by another replica`);
    const { rows: chunks } = await client.query<PackedChunk>(
      sql`WITH removed AS (DELETE FROM chunks WHERE job_id = ${jobId}::uuid AND attempt = ${attempt}
        RETURNING first_hand, hands, bytes) SELECT first_hand AS "firstHand", hands, bytes FROM removed ORDER BY first_hand`,
    );
    if (!sha256Of(packObject({ jobId, attempt, chunks })).equals(sha256)) {
      throw new Error(`the chunks of match ${jobId} changed while they were archived`);
    }
    await client.query(sql`UPDATE matches SET hands_archived_at = ${now} WHERE job_id = ${jobId}::uuid`);
    return true;
  });
}

/** Records in the audit log what a run has archived. */
export function auditArchived(
  db: Database,
  run: { readonly matches: number; readonly hands: number; readonly bytes: number; readonly opened_before: Date },
): Promise<void> {
  const entry = { action: 'hands.archived', subjectKind: 'archive', subjectId: 'hands', after: run };
  return inTransaction(db.pool, (client) =>
    emitAudit(client, 'live_data', { kind: 'service', name: 'live-data' }, entry),
  );
}
