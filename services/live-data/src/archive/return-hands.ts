// For one version: moves hands back that an earlier build has moved to an archive. Goes with the table archived_hands.
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type { Logger } from '@husky/runtime/process/logger';
import type pg from 'pg';
import type { PackedChunk } from '../domain/record.ts';
import { lockMatch } from '../store/matches.ts';
import type { ArchiveSettings } from './settings.ts';

interface ArchivedMatch {
  readonly jobId: string;
  readonly attempt: number;
  readonly sha256: Buffer;
}

/**
 * Moves all archived hands back into `chunks`, each match in a transaction. Throws if there are some and `settings` is undefined, or if the
 * archive cannot be reached. Logs and leaves out a match whose object is missing or damaged.
 */
export async function returnHands(pool: pg.Pool, settings: ArchiveSettings | undefined, log: Logger): Promise<void> {
  const { rows } = await pool.query<ArchivedMatch>(
    sql`SELECT job_id AS "jobId", attempt, sha256 FROM archived_hands JOIN matches USING (job_id)
      WHERE archived_at IS NOT NULL AND deleted_at IS NULL AND hands_removed_at IS NULL`,
  );
  if (rows.length === 0) return;
  if (settings === undefined) {
    throw new Error(`The hands of ${rows.length} matches are in an archive: set ARCHIVE_URL, and they are moved back`);
  }
  const read = 'folder' in settings ? readerOf(settings.folder) : await readerOfBucket(settings);
  let returned = 0;
  for (const match of rows) {
    const object = await read(`hands/${match.jobId}`);
    if (object === null || !createHash('sha256').update(object).digest().equals(match.sha256)) {
      log.error(
        { jobId: match.jobId },
        `match ${match.jobId}: its object is ${object === null ? 'missing' : 'damaged'}`,
      );
    } else if (await returnMatch(pool, match, unpack(object))) returned += 1;
  }
  log.info({ returned }, `moved the hands of ${returned} matches back from the archive`);
}

/** Returns false if the match was deleted, or returned by another replica. */
function returnMatch(
  pool: pg.Pool,
  { jobId, attempt, sha256 }: ArchivedMatch,
  chunks: readonly PackedChunk[],
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if ((await lockMatch(client, jobId)) === null) return false;
    const { rowCount } = await client.query(
      sql`DELETE FROM archived_hands WHERE job_id = ${jobId}::uuid AND sha256 = ${sha256} AND deleted_at IS NULL`,
    );
    if (rowCount === 0) return false;
    for (const { firstHand, hands, bytes } of chunks) {
      await client.query(
        sql`INSERT INTO chunks (job_id, attempt, first_hand, hands, bytes)
          VALUES (${jobId}::uuid, ${attempt}, ${firstHand}, ${hands}, ${bytes})`,
      );
    }
    await client.query(sql`UPDATE matches SET hands_archived_at = NULL WHERE job_id = ${jobId}::uuid`);
    return true;
  });
}

/** Reads the format of an object: a line with its version, a line of JSON that describes the chunks, and the chunks. */
function unpack(object: Buffer): PackedChunk[] {
  const begin = object.indexOf('\n') + 1;
  const end = object.indexOf('\n', begin);
  if (object.toString('latin1', 0, begin) !== 'HUSKY-HANDS-1\n')
    throw new RangeError('an object has an unknown format');
  const { chunks } = JSON.parse(object.toString('utf8', begin, end)) as {
    chunks: { firstHand: number; hands: number; bytes: number }[];
  };
  let next = end + 1;
  return chunks.map(({ firstHand, hands, bytes }) => {
    next += bytes;
    return { firstHand, hands, bytes: object.subarray(next - bytes, next) };
  });
}

type Read = (key: string) => Promise<Buffer | null>;

function readerOf(folder: string): Read {
  return async (key) => {
    // A folder that is not mounted is an error.
    await access(folder);
    return readFile(join(folder, key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  };
}

async function readerOfBucket(settings: Exclude<ArchiveSettings, { folder: string }>): Promise<Read> {
  const { s3Bucket } = await import('./s3-client.ts');
  const { open, request } = s3Bucket(settings.s3);
  return (key) =>
    request(`GET ${key}`, async () => {
      try {
        return Buffer.from(await (await open(key)).transformToByteArray());
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null;
        throw error;
      }
    });
}
