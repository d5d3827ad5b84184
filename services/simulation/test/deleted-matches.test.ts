import { createHash } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import { deleteUser } from '../src/events/user-changed.ts';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { admin, sixUsers, user } from './start-service.ts';

const world = await startBatchWorld();
const { service } = world;
const leaderboard = service.client('leaderboard');
afterAll(() => service.stop());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const anonymous = { caller: { kind: 'anonymous' } } as const;
const count = (...batchIds: string[]) => service.gateway.countMatches({ batchIds }, anonymous);
const jobsOf = async (batchId: string) =>
  (await service.gateway.listBatchJobs({ batchId, page: 1, pageSize: 100, status: '' }, asAdmin)).jobs;
const remove = (jobId: string) => service.gateway.deleteJob({ jobId }, asAdmin);

test('a deleted match is neither pending nor failed: a batch whose other matches are finished is finished', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  expect(await world.play(6)).toBe(6);
  const jobs = await jobsOf(id);
  const [first, second] = jobs;
  const waiting = jobs.find((job) => job.status === 'PENDING');
  for (const job of [first, second, waiting]) await remove(job?.id ?? '');
  expect(await world.read(id)).toMatchObject({
    finished: 4,
    pending: 0,
    running: 0,
    failed: 0,
    deleted: 3,
    totalJobs: 7,
  });
  const counts = await count(id);
  expect(counts).toMatchObject({
    planned: 7,
    finished: 4,
    pending: 0,
    deleted: 3,
    deletedAfterPlay: 2,
    deletedUnknown: 0,
    notCreated: 0,
  });
  const records = new Map(jobs.map((job) => [sha256(job.id), job]));
  for (const deleted of counts.deletedMatches) {
    const job = records.get(deleted.jobHash);
    expect(deleted).toMatchObject({
      gameNumber: job?.gameNumber,
      commitment: job?.commitment,
      played: job?.id !== waiting?.id,
      cause: 'owner',
      deletedAt: new Date(service.clock.now()).toISOString(),
    });
    expect(deleted.recordNumber).toBeGreaterThan(1);
  }
  const retried = service.gateway.retryBatch({ batchId: id }, asAdmin);
  await expect(retried).rejects.toMatchObject({
    reason: 'nothing-failed',
    message: 'No match of this batch has failed. 3 deleted ones are not played again.',
  });
  await expect(service.gateway.pauseBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({ reason: 'batch-ended' });
  const results = await leaderboard.listBatchResults({ batchId: id, afterGame: 0, limit: 100 });
  expect(results).toMatchObject({ totalJobs: 7, finishedJobs: 4, deletedJobs: 3 });
  const { rows } = await service.pool.query(sql`SELECT * FROM deleted_matches WHERE batch_id = ${id}`);
  for (const { userIds } of [await world.read(id)])
    for (const one of userIds) expect(JSON.stringify(rows)).not.toContain(one);
  await world.remove(id);
});

test('retries failed matches and leaves deleted ones deleted', async () => {
  const id = await world.createReady(users(7), { numRounds: 10 });
  await world.play(2);
  await remove((await jobsOf(id))[0]?.id ?? '');
  expect(await service.gateway.cancelBatch({ batchId: id }, asAdmin)).toMatchObject({
    failed: 5,
    deleted: 1,
    pending: 0,
  });
  expect(await service.gateway.retryBatch({ batchId: id }, asAdmin)).toMatchObject({
    failed: 0,
    deleted: 1,
    pending: 5,
  });
  expect(await world.play(10)).toBe(5);
  expect(await world.read(id)).toMatchObject({ finished: 6, deleted: 1, pending: 0, state: 'Ready' });
  await world.remove(id);
});

test('counts the matches of the platform: deleted ones, alone or with their batch, are not forgotten', async () => {
  const before = await count();
  const id = await world.createReady(users(7), { numRounds: 10 });
  await world.play(5);
  await remove((await jobsOf(id))[0]?.id ?? '');
  expect(await count()).toMatchObject({ finished: before.finished + 4, deleted: before.deleted + 1 });
  await world.remove(id);
  const after = await count();
  expect(after).toMatchObject({ finished: before.finished, deletedAfterPlay: before.deletedAfterPlay + 5, pending: 0 });
  expect(after.planned).toBe(before.planned + 5);
  expect(
    after.deletedMatches
      .slice(-5)
      .map(({ cause }) => cause)
      .sort(),
  ).toEqual(['batch', 'batch', 'batch', 'batch', 'owner']);
  // Of an unknown batch there is nothing to count.
  expect(
    await count(
      id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      'x',
    ),
  ).toMatchObject({ planned: 0, deleted: 0 });
});

test('says by whom a match was deleted, and that it followed the deletion of an account', async () => {
  const causes: string[] = [];
  const other = user(undefined, { admin: true });
  const owned = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const foreign = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const players = sixUsers();
  const left = await service.gateway.createMatch({ userIds: players, numRounds: 6 }, asAdmin);
  await world.play(3);
  await deleteUser(service.context, players[2] ?? '');
  for (const [job, caller] of [
    [owned, admin],
    [foreign, other],
    [left, admin],
  ] as const) {
    await service.gateway.deleteJob({ jobId: job.id }, { caller });
    causes.push((await count()).deletedMatches.find(({ jobHash }) => jobHash === sha256(job.id))?.cause ?? '');
  }
  expect(causes).toEqual(['owner', 'admin', 'account']);
});

test('names the deleted rotations of a deal set, and publishes its seed when the others are finished', async () => {
  const { rotations } = await service.gateway.createMatch(
    { userIds: sixUsers(), numRounds: 6, mode: 'duplicate' },
    asAdmin,
  );
  const idOf = (rotation: number) => rotations[rotation - 1]?.jobId ?? '';
  await world.play(6);
  await remove(idOf(3));
  const job = await service.gateway.getJob({ jobId: idOf(1) }, asAdmin);
  expect(job.deletedRotations).toEqual([3]);
  expect(job.rotations.map(({ rotation }) => rotation)).toEqual([1, 2, 4, 5, 6]);
  expect((await service.gateway.getSeed({ jobId: idOf(1) }, asAdmin)).seedHex).toMatch(/^[0-9a-f]{64}$/);
});

test('a stopping rule does not wait for a table whose last match was deleted', async () => {
  const roster = users(7);
  const stopRule = { alpha: 0.05, margin: 0, userIds: [] };
  const id = await world.createReady(roster, { numRounds: 10, design: 'balanced', handBudget: 210, stopRule });
  await world.play(20);
  const last = (await jobsOf(id)).at(-1);
  await remove(last?.id ?? '');
  const [pair] = (await world.read(id)).stop?.pairs ?? [];
  expect(last?.gameNumber).toBe(21);
  expect(pair?.course.at(-1)?.tables).toBe(20);
  await world.remove(id);
});
