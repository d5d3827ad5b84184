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

const batch = 32;

/** Yields the chunks of an attempt in order, starting with the one that contains hand `afterHand + 1`. Reads 32 at a time. */
export async function* chunksAfter(
  db: Database,
  jobId: string,
  attempt: number,
  afterHand: number,
): AsyncGenerator<Chunk> {
  const first = await chunkWith(db, jobId, attempt, afterHand + 1);
  if (first === null) return;
  yield first;
  let last = first;
  for (;;) {
    const chunks: Chunk[] = await db.prisma.chunk.findMany({
      where: { jobId, attempt, firstHand: { gt: last.firstHand } },
      orderBy: { firstHand: 'asc' },
      take: batch,
    });
    yield* chunks;
    const next = chunks.at(-1);
    if (next === undefined || chunks.length < batch) return;
    last = next;
  }
}

export async function findSeries(db: Database, jobId: string, attempt: number): Promise<Uint8Array | null> {
  const series = await db.prisma.series.findUnique({ where: { jobId } });
  return series !== null && series.attempt === attempt ? series.bytes : null;
}
