import { randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import { sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { refusal } from '@husky/testkit/refusal';
import { testNats } from '@husky/testkit/servers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { settleHolds } from '../src/holds.ts';
import { admin, anonymous, startLeaderboard, verified } from './service.ts';

const board = await startLeaderboard();
afterAll(() => board.stop());
beforeEach(async () => {
  await board.empty(
    'entries',
    'applied_jobs',
    'applied_deltas',
    'applied_batch_jobs',
    'batch_deltas',
    'unsettled_batch_holds',
    'deleted_users',
  );
  board.simulation.batches.clear();
  board.simulation.held.clear();
  board.simulation.onResults = () => undefined;
  board.simulation.setUnavailable(false);
});

const asAdmin = { caller: admin, timeoutMs: 60_000 };
const processBatch = (batchId: string) => board.client.processBatch({ batchId }, asAdmin);
const unprocess = (batchId: string) => board.client.unprocessBatch({ batchId }, asAdmin);
const status = (batchId: string) => board.client.getArenaStatus({ batchId }, asAdmin);
const users = Array.from({ length: 8 }, () => randomUUID());

/** Creates a batch with `finished` of `total` games and zero-sum deltas. Returns it with the expected sums in cents. */
function batchOf(total: number, finished: number, roster: readonly string[] = users) {
  const batchId = randomUUID();
  const games = Array.from({ length: finished }, (_, index) => {
    const players = Array.from({ length: 6 }, (__, seat) => roster[(index + seat) % roster.length] ?? '');
    const deltas = [index % 17, -(index % 13), 3, -3, (index % 13) - (index % 17), 0];
    const results = players.map((userId, seat) => ({ userId, delta: deltas[seat] ?? 0 }));
    return { jobId: randomUUID(), gameNumber: index + 1, results };
  });
  board.simulation.batches.set(batchId, { total, games });
  return { batchId, games };
}

function sumsOf(...batches: ReturnType<typeof batchOf>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { userId, delta } of batches.flatMap((batch) => batch.games).flatMap((game) => game.results)) {
    sums[userId] = (sums[userId] ?? 0) + delta * 100;
  }
  return sums;
}

async function standing(): Promise<Record<string, number>> {
  const { entries } = await board.client.getTop({ n: 1000, tag: 'llm-batch' }, { caller: anonymous });
  expect(new Set(entries.map((entry) => entry.userId)).size).toBe(entries.length);
  return Object.fromEntries(entries.map((entry) => [entry.userId, entry.scoreCents]));
}

test('lists the batches behind the entries of the batch tag, as long as they are added', async () => {
  const { batchId } = batchOf(3, 3);
  const matches = () => board.client.listTagMatches({ tag: 'llm-batch' }, { caller: anonymous });
  await processBatch(batchId);
  expect(await matches()).toEqual({ jobIds: [], batchIds: [batchId] });
  expect(await board.client.listTagMatches({ tag: 'by-hand' }, { caller: anonymous })).toEqual({
    jobIds: [],
    batchIds: [],
  });
  await unprocess(batchId);
  expect(await matches()).toEqual({ jobIds: [], batchIds: [] });
});

test('adds the finished jobs of a batch, and later the others', async () => {
  const batch = batchOf(28, 20);
  expect(await status(batch.batchId)).toEqual({
    allAdded: false,
    jobsAdded: 0,
    jobsFinished: 20,
    jobsTotal: 28,
    jobsDeleted: 0,
  });
  const first = await processBatch(batch.batchId);
  expect(first).toMatchObject({ jobsAdded: 20, jobsUnfinished: 8, entriesCreated: 8, entriesUpdated: 0 });
  expect(first.status).toEqual({ allAdded: true, jobsAdded: 20, jobsFinished: 20, jobsTotal: 28, jobsDeleted: 0 });
  expect(await standing()).toEqual(sumsOf(batch));
  expect(board.simulation.held).toEqual(new Set([batch.batchId]));

  batch.games.push(...batchOf(28, 28).games.slice(20));
  expect((await status(batch.batchId)).allAdded).toBe(false);
  expect(await processBatch(batch.batchId)).toMatchObject({ jobsAdded: 8, jobsUnfinished: 0, entriesCreated: 0 });
  expect(await standing()).toEqual(sumsOf(batch));
  expect(await processBatch(batch.batchId)).toMatchObject({ jobsAdded: 0, entriesCreated: 0, entriesUpdated: 0 });
  expect(await standing()).toEqual(sumsOf(batch));
});

test('counts deleted jobs neither as unfinished nor as missing on the board', async () => {
  const { batchId, games } = batchOf(28, 24);
  board.simulation.batches.set(batchId, { total: 28, games, deleted: 4 });
  const status = { allAdded: true, jobsAdded: 24, jobsFinished: 24, jobsTotal: 28, jobsDeleted: 4 };
  expect(await processBatch(batchId)).toMatchObject({ jobsAdded: 24, jobsUnfinished: 0, status });
});

test('removes exactly what a batch added, and releases it', async () => {
  const [one, two] = [batchOf(28, 28), batchOf(40, 35, users.slice(0, 7))];
  await processBatch(one.batchId);
  await processBatch(two.batchId);
  expect(await standing()).toEqual(sumsOf(one, two));
  expect(await unprocess(one.batchId)).toMatchObject({ jobsRemoved: 28, entriesUpdated: 7, entriesRemoved: 1 });
  expect(await standing()).toEqual(sumsOf(two));
  expect(board.simulation.held).toEqual(new Set([two.batchId]));
  expect(await unprocess(one.batchId)).toMatchObject({ jobsRemoved: 0, entriesUpdated: 0, entriesRemoved: 0 });
  await unprocess(two.batchId);
  expect(await standing()).toEqual({});
  await processBatch(one.batchId);
  expect(await standing()).toEqual(sumsOf(one));
});

test('counts every job once under concurrent additions and removals', async () => {
  const batch = batchOf(84, 84);
  const added = await Promise.all(Array.from({ length: 5 }, () => processBatch(batch.batchId)));
  expect(added.map((result) => result.jobsAdded).sort((a, b) => b - a)).toEqual([84, 0, 0, 0, 0]);
  expect(await standing()).toEqual(sumsOf(batch));
  await Promise.all([unprocess(batch.batchId), processBatch(batch.batchId), unprocess(batch.batchId)]);
  const { jobsAdded } = await status(batch.batchId);
  expect([0, 84]).toContain(jobsAdded);
  expect(await standing()).toEqual(jobsAdded === 0 ? {} : sumsOf(batch));
  expect(board.simulation.held.has(batch.batchId)).toBe(jobsAdded === 84);
});

test('resumes an interrupted addition, and holds the batch meanwhile', async () => {
  const batch = batchOf(5000, 5000);
  let pages = 0;
  board.simulation.onResults = () => {
    pages += 1;
    if (pages === 3) throw new Error('interrupted by the test');
  };
  expect(await refusal(processBatch(batch.batchId))).not.toBe('OK');
  expect(await status(batch.batchId)).toMatchObject({ allAdded: false, jobsAdded: 4000 });
  expect(await standing()).toEqual(sumsOf({ ...batch, games: batch.games.slice(0, 4000) }));
  board.clock.advance(60_000);
  await settleHolds(board.context);
  expect(board.simulation.held.has(batch.batchId)).toBe(true);
  expect(await processBatch(batch.batchId)).toMatchObject({ jobsAdded: 1000, status: { allAdded: true } });
  expect(await standing()).toEqual(sumsOf(batch));
});

test('releases a batch that a crash left held, once simulation is available again', async () => {
  const batch = batchOf(6, 0);
  board.simulation.onResults = () => board.simulation.setUnavailable(true);
  expect(await processBatch(batch.batchId)).toMatchObject({
    jobsAdded: 0,
    jobsUnfinished: 6,
    status: { allAdded: false },
  });
  expect(board.simulation.held.has(batch.batchId)).toBe(true);
  board.simulation.setUnavailable(false);
  board.clock.advance(60_000);
  await settleHolds(board.context);
  expect(board.simulation.held.size).toBe(0);
});

test('skips deleted users and users whose entry was removed', async () => {
  const batch = batchOf(28, 28);
  const [deleted, removed] = users;
  await board.database.admin.query(sql`INSERT INTO deleted_users (user_id, deleted_at) VALUES (${deleted}, now())`);
  expect(await processBatch(batch.batchId)).toMatchObject({ jobsAdded: 28, entriesCreated: 7 });
  const { entries } = await board.client.listUserEntries({ userId: removed, tag: 'llm-batch' }, asAdmin);
  await board.client.removeEntry({ id: entries[0]?.id ?? '' }, asAdmin);
  const { skippedUserIds, entriesRemoved } = await unprocess(batch.batchId);
  expect([...skippedUserIds].sort()).toEqual([deleted, removed].sort());
  expect(entriesRemoved).toBe(6);
  expect(await standing()).toEqual({});
});

test('adds and removes the largest batch, 38,760 jobs of 20 users', async () => {
  const batch = batchOf(
    38_760,
    38_760,
    Array.from({ length: 20 }, () => randomUUID()),
  );
  expect(await processBatch(batch.batchId)).toMatchObject({ jobsAdded: 38_760, entriesCreated: 20 });
  expect(await standing()).toEqual(sumsOf(batch));
  expect(await unprocess(batch.batchId)).toMatchObject({ jobsRemoved: 38_760, entriesRemoved: 20 });
  expect(await standing()).toEqual({});
}, 120_000);

test('refuses other callers and unknown batches', async () => {
  const { batchId } = batchOf(6, 6);
  for (const caller of [anonymous, verified]) {
    for (const call of ['processBatch', 'unprocessBatch', 'getArenaStatus'] as const) {
      expect(await refusal(board.client[call]({ batchId }, { caller }))).toMatch(
        /^(UNAUTHENTICATED|PERMISSION_DENIED)/,
      );
    }
  }
  for (const id of [randomUUID(), 'no id', '']) {
    for (const call of [processBatch, unprocess, status]) {
      expect(await refusal(call(id))).toBe('NOT_FOUND batch-not-found: Batch not found');
    }
  }
});

test('writes an audit record for each addition and removal with a change', async () => {
  const records: string[] = [];
  const listener = await connectNats(await testNats('auth'), createLogger('test', 'fatal'));
  const { batchId } = batchOf(28, 28);
  const consumer = listener.consume(audited('leaderboard'), 'auth_leaderboard_audited', async (message) => {
    if (message.subjectId === batchId) records.push(`${message.action} ${message.actorId} ${message.afterJson}`);
  });
  await Promise.all([processBatch(batchId), processBatch(batchId)]);
  await unprocess(batchId);
  await unprocess(batchId);
  await vi.waitFor(() => expect(records).toHaveLength(2), 10_000);
  await consumer.stop();
  await listener.close();
  expect(records).toEqual([
    `batch.added_to_leaderboard ${admin.id} {"jobs":28}`,
    `batch.removed_from_leaderboard ${admin.id} `,
  ]);
});
