import { type Sql, sql } from '@husky/runtime/database/sql';
import type { PackedChunk } from '../domain/record.ts';
import type { Database, HandsDatabase } from './database.ts';

interface Row {
  /** Null: the table has no such chunk. */
  readonly firstHand: number | null;
  readonly hands: number;
  readonly bytes: Buffer;
  /** Of the object in the archive; null: the attempt is not archived. */
  readonly sha256: Buffer | null;
}

const isChunk = (row: Row): row is Row & PackedChunk => row.firstHand !== null;

/**
 * Returns the chunks of an attempt in order: those of the table that `condition` selects, or all in the archive. One statement looks for
 * both, since an attempt is moved to the archive in one transaction. Throws UNAVAILABLE if the archive cannot be read.
 */
async function readChunks(
  db: HandsDatabase,
  jobId: string,
  attempt: number,
  condition: Sql,
): Promise<readonly PackedChunk[]> {
  const query = async () => {
    const { rows } = await db.pool.query<Row>(
      sql`SELECT c.first_hand AS "firstHand", c.hands, c.bytes, a.sha256 FROM (SELECT) AS one
        LEFT JOIN archived_hands a ON a.job_id = ${jobId}::uuid AND a.attempt = ${attempt}
          AND a.archived_at IS NOT NULL AND a.deleted_at IS NULL
        LEFT JOIN LATERAL (SELECT first_hand, hands, bytes FROM chunks
          WHERE job_id = ${jobId}::uuid AND attempt = ${attempt} AND ${condition}) c ON true
        ORDER BY c.first_hand`,
    );
    return { chunks: rows.filter(isChunk), sha256: rows[0]?.sha256 ?? null };
  };
  const { chunks, sha256 } = await query();
  if (sha256 === null) return chunks;
  try {
    return await db.archive.read({ jobId, sha256 });
  } catch (error) {
    // The match was deleted while its object was read.
    if ((await query()).sha256 === null) return [];
    throw error;
  }
}

/** Returns the chunk that contains a hand, or null. Throws UNAVAILABLE if it is in the archive and cannot be read. */
export async function chunkWith(
  db: HandsDatabase,
  jobId: string,
  attempt: number,
  hand: number,
): Promise<PackedChunk | null> {
  const before = sql`first_hand <= ${hand} ORDER BY first_hand DESC LIMIT 1`;
  const chunks = await readChunks(db, jobId, attempt, before);
  const chunk = chunks.findLast(({ firstHand }) => firstHand <= hand);
  return chunk !== undefined && hand < chunk.firstHand + chunk.hands ? chunk : null;
}

const chunksPerRead = 32;

/**
 * Yields the chunks of an attempt in order, starting with the one that contains hand `afterHand + 1`. Reads 32 at a time. Leaves out no
 * hand; when the attempt is completed meanwhile, which joins its chunks, a chunk may begin with hands that were already yielded. Throws
 * UNAVAILABLE if the chunks are in the archive and cannot be read.
 */
export async function* chunksAfter(
  db: HandsDatabase,
  jobId: string,
  attempt: number,
  afterHand: number,
): AsyncGenerator<PackedChunk> {
  let last = await chunkWith(db, jobId, attempt, afterHand + 1);
  while (last !== null) {
    yield last;
    const { firstHand: after } = last;
    const next = sql`first_hand > ${after} ORDER BY first_hand LIMIT ${chunksPerRead}`;
    const chunks = (await readChunks(db, jobId, attempt, next)).filter(({ firstHand }) => firstHand > after);
    let joined = false;
    for (const chunk of chunks) {
      joined = chunk.firstHand > last.firstHand + last.hands;
      if (joined) break;
      yield chunk;
      last = chunk;
    }
    if (!joined && chunks.length < chunksPerRead) return;
    last = await chunkWith(db, jobId, attempt, last.firstHand + last.hands);
  }
}

export async function findSeries(db: Database, jobId: string, attempt: number): Promise<Uint8Array | null> {
  const series = await db.prisma.series.findUnique({ where: { jobId } });
  return series !== null && series.attempt === attempt ? series.bytes : null;
}
