import type { Chunk } from '../generated/client.ts';
import type { Database } from './database.ts';

/** Returns the chunk that contains a hand, or null. */
export async function chunkWith(db: Database, jobId: string, attempt: number, hand: number): Promise<Chunk | null> {
  const chunk = await db.prisma.chunk.findFirst({
    where: { jobId, attempt, firstHand: { lte: hand } },
    orderBy: { firstHand: 'desc' },
  });
  return chunk !== null && hand < chunk.firstHand + chunk.hands ? chunk : null;
}

const chunksPerRead = 32;

/**
 * Yields the chunks of an attempt in order, starting with the one that contains hand `afterHand + 1`. Reads 32 at a time. Leaves out no
 * hand; when the attempt is completed meanwhile, which joins its chunks, a chunk may begin with hands that were already yielded.
 */
export async function* chunksAfter(
  db: Database,
  jobId: string,
  attempt: number,
  afterHand: number,
): AsyncGenerator<Chunk> {
  let last = await chunkWith(db, jobId, attempt, afterHand + 1);
  while (last !== null) {
    yield last;
    const chunks: Chunk[] = await db.prisma.chunk.findMany({
      where: { jobId, attempt, firstHand: { gt: last.firstHand } },
      orderBy: { firstHand: 'asc' },
      take: chunksPerRead,
    });
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
