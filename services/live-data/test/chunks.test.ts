// Reads of the chunks of a match, and their memory.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import type { Match } from '../src/domain/match.ts';
import { indexMatch, readHands } from '../src/read-hands.ts';
import { type Attempt, findAttempt } from '../src/store/attempts.ts';
import { chunksAfter } from '../src/store/chunks.ts';
import { clientOver } from '../src/store/database.ts';
import { findMatch } from '../src/store/matches.ts';
import { verifyMatch } from '../src/verify.ts';
import { startLiveData } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
const { admin: pool } = live.database;
const prisma = clientOver(pool);
const db = { pool, prisma };
afterAll(async () => {
  await prisma.$disconnect();
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

// A thousand actions a hand: the bots raise each other by the minimum.
const hands = 400;
const { match: long } = await live.deliverMatch(
  { numRounds: hands, playerIds: ['ann', 'bob'].map(userIdOf), stacks: 'reset' },
  { chunkHands: 10, raising: () => '' },
);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMib(): number {
  collect();
  return getHeapStatistics().used_heap_size / 2 ** 20;
}

/** Returns by how much the live objects grow while `work` runs, in MiB. `work` lets other work run between chunks. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = heapMib();
  let peak = before;
  let running = true;
  const done = work().finally(() => {
    running = false;
  });
  done.catch(() => undefined);
  while (running) {
    await nextTurn();
    peak = Math.max(peak, heapMib());
  }
  await done;
  return peak - before;
}

// All actions take more than 32 MiB, those of a full chunk 5.
test.each<[string, (match: Match, attempt: Attempt) => Promise<unknown>]>([
  ['the hands of a running match', (match) => readHands(db, match)],
  ['the index of a match', (match) => indexMatch(db, match)],
  ['the verification after a restart, with new chunks', (match, attempt) => verifyMatch(db, match, attempt, undefined)],
])('%s is computed without keeping the actions of all hands', async (_, work) => {
  const [match, attempt] = await Promise.all([findMatch(db, long.jobId), findAttempt(db, long.jobId, 1)]);
  if (match === null || attempt === null) throw new Error('the match is not stored');
  expect(attempt.hands).toBe(hands);
  expect(await growthOf(() => work(match, attempt))).toBeLessThan(16);
});
