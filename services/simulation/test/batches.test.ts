import { randomUUID } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endJobsOf } from '../src/events/user-changed.ts';
import { sweep } from '../src/work/sweeper.ts';
import { admin, bot, startService, type TestService, user } from './start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({}, 2);
});
afterAll(() => service.stop());

const users = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const asAdmin = { caller: admin, timeoutMs: 30_000 };
const create = (userIds: string[], more: object = {}) => service.gateway.createBatch({ userIds, ...more }, asAdmin);
const read = (batchId: string) => service.gateway.getBatch({ batchId }, asAdmin);

async function created(userIds: string[], more: object = {}) {
  const { id } = await create(userIds, more);
  await vi.waitFor(async () => expect((await read(id)).state).toBe('Ready'), { timeout: 20_000, interval: 50 });
  return id;
}

/** Plays up to `most` matches: the player in seat 0 wins 50 from the others. */
async function play(most: number) {
  let played = 0;
  for (; played < most; played++) {
    const assignment = await service.claim('player');
    if (!assignment) break;
    await service.liveData.acceptResult({
      jobId: assignment.jobId,
      attempt: assignment.attempt,
      handsPlayed: assignment.numRounds,
      results: assignment.seats.map((seat, index) => ({ userId: seat.userId, delta: index === 0 ? 50 : -10 })),
      digest: 'd',
    });
  }
  return played;
}

async function removed(batchId: string): Promise<void> {
  await service.gateway.deleteBatch({ batchId }, asAdmin);
  await vi.waitFor(
    async () => {
      const left = await service.pool.query('SELECT 1 FROM batches WHERE id = $1', [batchId]);
      expect(left.rows).toEqual([]);
    },
    { timeout: 20_000, interval: 50 },
  );
}

test('every six of eight users play once, a thousand hands each', async () => {
  const eight = users(8);
  const answer = await create(eight);
  expect(answer).toMatchObject({ totalJobs: 28, pending: 28, numRounds: 1000, paused: false, held: false });
  const { id } = answer;
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ state: 'Ready', generatedJobs: 28 }), 10_000);
  const { jobs, total } = await service.gateway.listBatchJobs({ batchId: id, page: 1, pageSize: 100 }, asAdmin);
  expect(total).toBe(28);
  expect(jobs.map((job) => job.gameNumber)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  expect(new Set(jobs.map((job) => [...job.playerIds].sort().join())).size).toBe(28);
  for (const one of eight) expect(jobs.filter((job) => job.playerIds.includes(one))).toHaveLength(21);
  expect(new Set(jobs.map((job) => job.batchNumber))).toEqual(new Set([answer.batchNumber]));
  expect(new Set(jobs.map((job) => job.commitment)).size).toBe(28);

  expect(await play(28)).toBe(28);
  const done = await read(id);
  expect(done).toMatchObject({ finished: 28, pending: 0, running: 0, failed: 0, secondsLeft: 0 });
  expect(done.standings).toHaveLength(8);
  expect(done.standings.reduce((sum, one) => sum + one.delta, 0)).toBe(0);
  expect(done.standings[0]).toMatchObject({ userId: eight[0], matches: 21, delta: 21 * 50 });
  const told = (await service.events()).filter((event) => event.holderId === id);
  expect(told).toHaveLength(28);
  expect(told.filter((event) => event.lastOfHolder)).toHaveLength(1);
  await removed(id);
});

test('jobs are made once, by whichever replica, and a test run does not wait behind them', async () => {
  // Three steps of the workers.
  const id = await created(users(11));
  const { rows } = await service.pool.query(
    'SELECT count(*)::int AS jobs, count(DISTINCT game_number)::int AS games, max(game_number) AS last FROM jobs WHERE batch_id = $1',
    [id],
  );
  expect(rows).toEqual([{ jobs: 462, games: 462, last: 462 }]);
  await play(3);
  const run = await service.gateway.createTestRun(bot, { caller: user() });
  expect(run.queuePosition).toBe(1);
  const order: (string | undefined)[] = [];
  for (let n = 0; n < 2; n++) {
    const assignment = await service.mustClaim();
    order.push(assignment.jobId);
    await service.accept(assignment);
  }
  expect(order).toContain(run.id);
  await removed(id);
  expect(await service.claim()).toBeNull();
});

test('a list of 1,716 jobs is whole and in order, however deep its pages lie', async () => {
  const id = await created(users(13));
  const pages = [1, 2, 3, 4, 5];
  const all = await Promise.all(
    pages.map((page) => service.gateway.listJobs({ page, pageSize: 400, kinds: ['BATCH_MATCH'] }, asAdmin)),
  );
  const numbers = all.flatMap(({ jobs }) => jobs.map((job) => Number(job.jobNumber)));
  expect(all.map(({ total }) => total)).toEqual(pages.map(() => 1716));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a));
  expect(numbers).toHaveLength(1716);
  expect(all.at(-1)?.jobs.every((job) => job.playerIds.length === 6 && job.batchNumber > 0)).toBe(true);
  const last = await service.gateway.listBatchJobs({ batchId: id, page: 18, pageSize: 100 }, asAdmin);
  expect(last.jobs.map((job) => job.gameNumber)).toEqual(Array.from({ length: 16 }, (_, index) => 1701 + index));
  await removed(id);
});

test('a worker that dies in the middle leaves a batch that another one completes', async () => {
  const { id } = await create(users(9), { numRounds: 5 });
  // Whatever has been made so far: as if its worker had died before or after a step.
  await service.pool.query("UPDATE batches SET work_after = now() + interval '1 day' WHERE id = $1", [id]);
  await service.pool.query("UPDATE batches SET work_after = 'epoch' WHERE id = $1 AND state = 'GENERATING'", [id]);
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ state: 'Ready', generatedJobs: 84 }), 10_000);
  expect((await service.gateway.listBatchJobs({ batchId: id }, asAdmin)).total).toBe(84);
  await removed(id);
});

test('a step that fails is taken up again soon, not when its worker counts as dead', async () => {
  const id = await created(users(7), { numRounds: 10 });
  service.world.liveDataAway = true;
  await service.gateway.deleteBatch({ batchId: id }, asAdmin);
  await vi.waitFor(() => expect(service.world.refusedPurges).toBeGreaterThan(0), 10_000);
  service.world.liveDataAway = false;
  await vi.waitFor(async () => {
    expect((await service.pool.query('SELECT 1 FROM batches WHERE id = $1', [id])).rows).toEqual([]);
  }, 10_000);
});

test('pausing stops new matches, resuming goes on; what runs goes on', async () => {
  const id = await created(users(7), { numRounds: 10 });
  const running = await service.mustClaim();
  expect(await service.gateway.pauseBatch({ batchId: id }, asAdmin)).toMatchObject({
    paused: true,
    pending: 6,
    running: 1,
  });
  expect(await service.claim()).toBeNull();
  await service.lease.handBack({ reason: 'drain' }, { token: running.leaseToken });
  expect(await service.claim()).toBeNull();
  expect(await read(id)).toMatchObject({ pending: 7, running: 0 });
  expect(await service.gateway.resumeBatch({ batchId: id }, asAdmin)).toMatchObject({ paused: false });
  expect((await service.mustClaim()).jobId).toBe(running.jobId);
  await removed(id);
});

test('cancelling fails what has not ended, and a retry plays it after all', async () => {
  const id = await created(users(7), { numRounds: 10 });
  await play(2);
  const running = await service.mustClaim();
  expect(await service.gateway.cancelBatch({ batchId: id }, asAdmin)).toMatchObject({
    ...{ state: 'Cancelled', finished: 2, failed: 5, pending: 0, running: 0 },
  });
  const beat = await service.lease.heartbeat({ state: 'ACTIVE' }, { token: running.leaseToken });
  expect(beat).toEqual({ cancel: true, reason: 'The job was ended: The batch was cancelled.' });
  expect(await service.claim()).toBeNull();
  const told = (await service.events()).filter((event) => event.holderId === id && event.status === 'Failed');
  expect(told).toHaveLength(5);
  expect(told.some((event) => event.lastOfHolder)).toBe(false);
  expect(service.world.pins.has(id)).toBe(true);
  expect(await service.gateway.retryBatch({ batchId: id }, asAdmin)).toMatchObject({
    state: 'Ready',
    failed: 0,
    pending: 5,
  });
  expect(await play(10)).toBe(5);
  expect(await read(id)).toMatchObject({ finished: 7 });
  await removed(id);
});

test('a change that changes nothing is refused in words, and cancelling ends a pause', async () => {
  const id = await created(users(7), { numRounds: 10 });
  const request = { batchId: id };
  const refused = (message: string) => ({ code: 'FAILED_PRECONDITION', message });
  const ended = refused('This batch has ended: every match has been played, has failed or was cancelled.');
  const { gateway } = service;
  await expect(gateway.resumeBatch(request, asAdmin)).rejects.toMatchObject(refused('This batch is not paused.'));
  await expect(gateway.retryBatch(request, asAdmin)).rejects.toMatchObject(
    refused('No match of this batch has failed.'),
  );
  const pauses = await Promise.allSettled([gateway.pauseBatch(request, asAdmin), gateway.pauseBatch(request, asAdmin)]);
  expect(pauses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const cancels = await Promise.allSettled([
    gateway.cancelBatch(request, asAdmin),
    gateway.cancelBatch(request, asAdmin),
  ]);
  expect(cancels.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await read(id)).toMatchObject({ state: 'Cancelled', paused: false, pending: 0 });
  for (const change of [gateway.pauseBatch, gateway.resumeBatch, gateway.cancelBatch]) {
    await expect(change(request, asAdmin)).rejects.toMatchObject(ended);
  }
  const retries = await Promise.allSettled([
    gateway.retryBatch(request, asAdmin),
    gateway.retryBatch(request, asAdmin),
  ]);
  expect(retries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await read(id)).toMatchObject({ state: 'Ready', pending: 7, failed: 0 });
  await removed(id);
});

test('progress tells hands per second and the time left', async () => {
  const id = await created(users(7), { numRounds: 100 });
  for (let n = 0; n < 4; n++) {
    const assignment = await service.mustClaim();
    service.clock.advance(10_000);
    await service.accept(assignment);
  }
  const progress = await read(id);
  expect(progress.handsPerSecond).toBeCloseTo(10, 5);
  expect(progress.secondsLeft).toBeCloseTo(30, 5);
  await removed(id);
});

test('a deleted batch is gone at once, its hands are purged and its pins released', async () => {
  const id = await created(users(7), { numRounds: 10 });
  await play(1);
  const running = await service.mustClaim();
  const purgedBefore = service.world.purged.length;
  const leaderboard = service.client('leaderboard');
  await leaderboard.holdBatch({ batchId: id });
  expect(await read(id)).toMatchObject({ held: true });
  await expect(service.gateway.deleteBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'This batch is on the leaderboard. Remove it there first.',
  });
  await leaderboard.releaseBatch({ batchId: id });
  expect(await service.gateway.deleteBatch({ batchId: id }, asAdmin)).toEqual({ jobs: 7, finished: 1, cancelled: 6 });
  await expect(read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(service.gateway.deleteBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const beat = await service.lease.heartbeat({ state: 'ACTIVE' }, { token: running.leaseToken });
  expect(beat).toEqual({ cancel: true, reason: 'The job was deleted.' });
  await vi.waitFor(async () => {
    expect((await service.pool.query('SELECT 1 FROM batches WHERE id = $1', [id])).rows).toEqual([]);
  }, 10_000);
  expect(service.world.purged.length - purgedBefore).toBeGreaterThanOrEqual(7);
  await sweep(service.context);
  expect(service.world.pins.has(id)).toBe(false);
});

test('packages are resolved once a bot, before the first job', async () => {
  const seven = users(7);
  for (const one of seven) service.world.requirements.set(one, 'numpy');
  service.world.prepared.length = 0;
  const id = await created(seven, { numRounds: 10 });
  expect(service.world.prepared).toHaveLength(7);
  const assignment = await service.mustClaim();
  expect(assignment.seats.every((seat) => /^[0-9a-f]{64}$/.test(seat.packagesHash))).toBe(true);
  await removed(id);
});

test('a bot that cannot be played fails the batch in words, and a retry tries again', async () => {
  const seven = users(7);
  service.world.requirements.set(seven[3] ?? '', 'nonsense');
  service.world.prepare = () => {
    throw new DomainError('FAILED_PRECONDITION', 'package-unresolvable', 'The package nonsense does not exist.');
  };
  const { id } = await create(seven);
  const problem = 'A bot cannot be played: The package nonsense does not exist.';
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ state: 'Failed', problem }), 10_000);
  service.world.prepare = () => 'a'.repeat(64);
  await service.gateway.retryBatch({ batchId: id }, asAdmin);
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ state: 'Ready', problem: '' }), 10_000);
  await removed(id);
});

test.each([
  [5, 'A batch needs 6 to 20 users.'],
  [21, 'A batch needs 6 to 20 users.'],
])('refuses a batch of %i users', async (count, message) => {
  await expect(create(users(count))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});

test('refuses the same user twice, users without a final submission, and bad rounds', async () => {
  const six = users(6);
  await expect(create([...six, six[0] ?? ''])).rejects.toThrow('The same user cannot be in a batch twice.');
  service.world.withoutFinal.add(six[5] ?? '');
  await expect(create(six)).rejects.toThrow(`name-${six[5]?.slice(0, 4)} has no final submission.`);
  await expect(create(users(6), { numRounds: 10_001 })).rejects.toMatchObject({ reason: 'match-invalid' });
  await expect(create(users(6), { numRounds: -1 })).rejects.toMatchObject({ reason: 'match-invalid' });
});

test('metadata is a JSON object of at most 64 KB, never overwritten unseen, open to all once published', async () => {
  const id = await created(users(6), { numRounds: 10 });
  const save = (metadataJson: string, expectedMetadataId?: string) =>
    service.gateway.setBatchMetadata(
      { batchId: id, metadataJson, ...(expectedMetadataId === undefined ? {} : { expectedMetadataId }) },
      asAdmin,
    );
  for (const [text, message] of [
    ['{', 'Invalid JSON format'],
    ['[]', 'The metadata must be a JSON object.'],
    ['null', 'The metadata must be a JSON object.'],
    [JSON.stringify({ text: 'x'.repeat(65_536) }), 'The metadata is larger than 64 KB.'],
  ] as const) {
    await expect(save(text)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
  }
  const first = await save('{"batch_number": 7}');
  expect(first).toMatchObject({ action: 'created', metadataJson: '{"batch_number":7}', batchEntries: 1 });
  const second = await save('{"batch_number": 8}', first.metadataId);
  expect(second.action).toBe('updated');
  await expect(save('{}', first.metadataId)).rejects.toMatchObject({ code: 'ABORTED', reason: 'metadata-changed' });
  const anonymous = { caller: { kind: 'anonymous' } } as const;
  const metadata = () => service.gateway.getBatchMetadata({ batchId: id }, anonymous);
  await expect(metadata()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  service.world.publicBatches.add(id);
  expect(await metadata()).toMatchObject({ metadataJson: '{"batch_number":8}', metadataId: second.metadataId });
  await removed(id);
});

test('batches are for admins', async () => {
  const id = await created(users(6), { numRounds: 10 });
  const caller = { caller: user() };
  const refused = { code: 'PERMISSION_DENIED' };
  const { gateway } = service;
  await expect(gateway.createBatch({ userIds: users(6) }, caller)).rejects.toMatchObject(refused);
  await expect(gateway.listBatches({}, caller)).rejects.toMatchObject(refused);
  const request = { batchId: id };
  for (const call of [
    ...[gateway.getBatch, gateway.listBatchJobs, gateway.pauseBatch, gateway.resumeBatch, gateway.cancelBatch],
    ...[gateway.retryBatch, gateway.deleteBatch, gateway.setBatchMetadata],
  ] as ((request: { batchId: string }, options: typeof caller) => Promise<unknown>)[]) {
    await expect(call(request, caller)).rejects.toMatchObject(refused);
  }
  const { batches, total } = await gateway.listBatches({}, asAdmin);
  expect(total).toBe(1);
  expect(batches).toMatchObject([{ id, totalJobs: 1, pending: 1 }]);
  await endJobsOf(service.context, admin.id);
  expect(await read(id)).toMatchObject({ state: 'Cancelled', failed: 1 });
  await removed(id);
});
