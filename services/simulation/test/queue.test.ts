import { defaultQuota } from '@husky/contracts/events';
import { sql } from '@husky/runtime/database/sql';
import { withParty } from '@husky/runtime/rpc/party';
import { afterAll, expect, test } from 'vitest';
import { admin, sixUsers, startService, user } from './start-service.ts';

const service = await startService({ DEFAULT_HANDS: '900' }, 2, {
  quota: { ...defaultQuota, maxTestRuns: 1000 },
  weights: { TEST_RUN: 3, MATCH: 1, BATCH_MATCH: 2 },
});
afterAll(() => service.stop());

const { newRun } = service;
const newMatch = (numRounds: number) =>
  service.gateway.createMatch({ userIds: sixUsers(), numRounds }, { caller: admin, timeoutMs: 20_000 });

/** Claims and plays `count` jobs and returns them in order. */
async function play(count: number) {
  const played = [];
  for (let n = 0; n < count; n++) {
    const assignment = await service.mustClaim();
    played.push(assignment);
    await service.accept(assignment);
  }
  return played;
}

test('gives each job to one of eight claimers at two replicas', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => newRun()));
  const claimed = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const own: string[] = [];
      for (;;) {
        const assignment = await service.claim(`claimer-${n}`, 0, n % 2);
        if (!assignment) return own;
        own.push(assignment.jobId);
        await service.accept(assignment);
      }
    }),
  );
  expect(claimed.flat().sort()).toEqual(ids.sort());
});

test('wakes a waiting runner at either replica when a job is created', async () => {
  for (const replica of [0, 1]) {
    for (let n = 0; n < 5; n++) {
      // The waiters' timers never fire here, so only the notification can end the wait.
      const waiting = service.claim(`waiter-${replica}`, 10_000, replica);
      // The runner is known once its claim has begun to wait.
      await expect
        .poll(
          async () => (await service.pool.query(sql`SELECT 1 FROM runners WHERE name = ${`waiter-${replica}`}`)).rows,
        )
        .toHaveLength(1);
      const id = await newRun();
      const assignment = await waiting;
      expect(assignment?.jobId).toBe(id);
      if (assignment) await service.accept(assignment);
    }
  }
});

test('wakes as many waiting runners as jobs are created', async () => {
  const waiting = Array.from({ length: 6 }, (_, n) => service.claim(`many-${n}`, 10_000, n % 2));
  const ids = await Promise.all(Array.from({ length: 6 }, () => newRun()));
  const got = await Promise.all(waiting);
  expect(got.map((assignment) => assignment?.jobId).sort()).toEqual(ids.sort());
  for (const assignment of got) if (assignment) await service.accept(assignment);
});

test('finds a job whose notification was lost', async () => {
  const id = await newRun();
  const setState = (state: string) => service.pool.query(sql`UPDATE jobs SET state = ${state} WHERE id = ${id}`);
  await setState('PAUSED');
  const waiting = service.claim('unnotified', 10_000);
  await expect.poll(() => service.timers.pending()).toBe(1);
  await setState('QUEUED');
  const assignment = await waiting;
  expect(assignment?.jobId).toBe(id);
  if (assignment) await service.accept(assignment);
});

test('returns no assignment after the wait of a claim without work', async () => {
  const waiting = service.claim('patient', 300);
  await expect.poll(() => service.timers.pending()).toBe(1);
  service.timers.advance(300);
  expect(await waiting).toBeNull();
});

test('shares work by weight while several classes wait', async () => {
  await Promise.all(Array.from({ length: 24 }, () => newRun()));
  await Promise.all(Array.from({ length: 12 }, () => newMatch(10)));
  const played = await play(24);
  const runs = played.filter((assignment) => assignment.seats.length === 2).length;
  expect(runs).toBeGreaterThanOrEqual(17);
  expect(runs).toBeLessThanOrEqual(19);
  await play(12);
  expect(await service.claim()).toBeNull();
});

test('accumulates no share for a class that was empty', async () => {
  for (let n = 0; n < 10; n++) await newRun();
  await play(10);
  await Promise.all(Array.from({ length: 6 }, () => newMatch(10)));
  await Promise.all(Array.from({ length: 6 }, () => newRun()));
  const order = (await play(12)).map((assignment) => assignment.seats.length);
  expect(order.slice(0, 8).filter((seats) => seats === 6)).toHaveLength(2);
});

test('does not delay a test run behind many test runs of another user', async () => {
  const [eager, modest] = [user(), user()];
  const many = [];
  for (let n = 0; n < 8; n++) many.push(await newRun(eager));
  const one = await newRun(modest);
  expect(await service.gateway.getJob({ jobId: one }, { caller: modest })).toMatchObject({ queuePosition: 2 });
  const order = (await play(9)).map((assignment) => assignment.jobId);
  expect(order.indexOf(one)).toBeLessThanOrEqual(1);
  expect(order.filter((id) => id !== one)).toEqual(many);
});

test('20 accounts of one address have the share of four in the queue of test runs', async () => {
  const from = (address: string) => withParty({ account: '', address }, () => newRun());
  const crowd = [];
  for (let n = 0; n < 20; n++) crowd.push(await from('the-crowd'));
  const apart = await from('another-address');
  const order = (await play(21)).map((assignment) => assignment.jobId);
  expect(order.indexOf(apart)).toBeLessThanOrEqual(4);
  expect(order.filter((id) => id !== apart)).toEqual(crowd);
  await expect
    .poll(async () => (await service.pool.query("SELECT 1 FROM queue_owners WHERE kind = 'TEST_RUN'")).rows.length)
    .toBeLessThan(20);
});

test('a batch that names no number of hands has the configured one', async () => {
  const plan = (numRounds: number) => service.gateway.planBatch({ users: 6, numRounds }, { caller: admin });
  expect((await plan(0)).hands).toBe((await plan(900)).hands);
  expect((await plan(0)).hands).not.toBe((await plan(1000)).hands);
});
