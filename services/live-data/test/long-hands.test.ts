// Memory of reads of a whole match in which two bots raise each other by the minimum: a thousand actions a hand.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import type { Match } from '../src/domain/match.ts';
import { indexMatch, readHands } from '../src/read-hands.ts';
import { type Attempt, findAttempt } from '../src/store/attempts.ts';
import { clientOver } from '../src/store/database.ts';
import { findMatch } from '../src/store/matches.ts';
import { verifyMatch } from '../src/verify.ts';
import { startLiveData } from './service.ts';
import { userIdOf } from './simulation.ts';

const hands = 400;

const live = await startLiveData();
const { admin: pool } = live.database;
const prisma = clientOver(pool);
const db = { pool, prisma };
afterAll(async () => {
  await prisma.$disconnect();
  await live.stop();
});

const { jobId } = (
  await live.deliverMatch(
    { numRounds: hands, playerIds: ['ann', 'bob'].map(userIdOf), stacks: 'reset' },
    { chunkHands: 10, raising: () => '' },
  )
).match;

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
  const [match, attempt] = await Promise.all([findMatch(db, jobId), findAttempt(db, jobId, 1)]);
  if (match === null || attempt === null) throw new Error('the match is not stored');
  expect(attempt.hands).toBe(hands);
  expect(await growthOf(() => work(match, attempt))).toBeLessThan(16);
});
