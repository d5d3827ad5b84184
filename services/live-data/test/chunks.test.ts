import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import { chunksAfter } from '../src/store/chunks.ts';
import { clientOver } from '../src/store/database.ts';
import { startLiveData } from './service.ts';

const live = await startLiveData();
const { admin: pool } = live.database;
const db = { prisma: clientOver(pool), pool };
afterAll(async () => {
  await db.prisma.$disconnect();
  await live.stop();
});

/** Replaces the chunks of the attempt by chunks of these sizes, with empty content. */
async function storeChunks(jobId: string, sizes: readonly number[]): Promise<void> {
  const firsts = sizes.map((_, index) => 1 + sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
  await pool.query(
    sql`WITH removed AS (DELETE FROM live_data.chunks WHERE job_id = ${jobId} AND first_hand <> ALL (${firsts}::int[]))
     INSERT INTO live_data.chunks (job_id, attempt, first_hand, hands, bytes)
     SELECT ${jobId}, 1, chunk.*, '' FROM unnest(${firsts}::int[], ${sizes}::int[]) AS chunk
     ON CONFLICT (job_id, attempt, first_hand) DO UPDATE SET hands = excluded.hands`,
  );
}

/** Returns the first and last hands of all chunks after a hand. `meanwhile` may change the stored chunks after each one. */
async function read(jobId: string, afterHand: number, meanwhile?: (chunks: number) => Promise<void>) {
  const found: [first: number, last: number][] = [];
  for await (const { firstHand, hands } of chunksAfter(db, jobId, 1, afterHand)) {
    found.push([firstHand, firstHand + hands - 1]);
    await meanwhile?.(found.length);
  }
  return found;
}

test('reads the chunks from a hand on, however many', async () => {
  const { jobId } = (await live.deliverMatch({ numRounds: 10 })).match;
  await storeChunks(
    jobId,
    Array.from({ length: 70 }, () => 3),
  );
  const all = Array.from({ length: 70 }, (_, index) => [3 * index + 1, 3 * index + 3]);
  expect(await read(jobId, 0)).toEqual(all);
  expect(await read(jobId, 7)).toEqual(all.slice(2));
  expect(await read(jobId, 210)).toEqual([]);
  await storeChunks(jobId, [3]);
  expect(await read(jobId, 0)).toEqual([[1, 3]]);
});

test('leaves out no hand when the chunks are joined while they are read', async () => {
  const { jobId } = (await live.deliverMatch({ numRounds: 10 })).match;
  await storeChunks(jobId, [41, 12, 11, 36]);
  const found = await read(jobId, 41, async (chunks) => {
    if (chunks === 1) await storeChunks(jobId, [64, 36]);
  });
  expect(found).toEqual([
    [42, 53],
    [1, 64],
    [65, 100],
  ]);
});
