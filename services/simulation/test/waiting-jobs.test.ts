// The backlog, and jobs that are queued again.
import { afterAll, expect, test } from 'vitest';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const backlog = async (kind: string) => {
  const { classes } = await service.client('pool').getBacklog({});
  return classes.find((one) => one.kind === kind);
};
const newMatch = (numRounds: number) =>
  service.gateway.createMatch({ userIds: sixUsers(), numRounds }, { caller: admin, timeoutMs: 20_000 });

test('returns the backlog only to pool, with all classes even if they are empty', async () => {
  await expect(service.gateway.getBacklog({}, { caller: admin })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  const { classes } = await service.client('pool').getBacklog({});
  const none = { queuedJobs: 0, queuedHands: 0, runningJobs: 0, runningHands: 0, measuredHands: 0, measuredSeconds: 0 };
  expect(classes).toEqual(['TEST_RUN', 'MATCH', 'BATCH_MATCH'].map((kind) => ({ kind, ...none })));
});

test('counts queued hands and the remaining hands of running matches by class', async () => {
  await newMatch(500);
  await newMatch(300);
  await service.gateway.createTestRun(bot, { caller: user() });
  expect(await backlog('MATCH')).toMatchObject({ queuedJobs: 2, queuedHands: 800, runningJobs: 0 });
  const claims = [await service.mustClaim('r-1'), await service.mustClaim('r-2'), await service.mustClaim('r-3')];
  const match = claims.find(({ numRounds }) => numRounds === 500);
  service.clock.advance(4000);
  await service.lease.heartbeat({ state: 'ACTIVE', handsDone: 200 }, { token: match?.leaseToken ?? '' });
  service.clock.advance(1000);
  expect(await backlog('MATCH')).toMatchObject({
    queuedJobs: 0,
    runningJobs: 2,
    runningHands: 600,
    measuredHands: 200,
    measuredSeconds: 4,
  });
  for (const claim of claims) await service.accept(claim);
});

test('counts all hands of a match that ended early, and ignores old attempts', async () => {
  service.clock.advance(7 * 3600_000);
  await newMatch(1000);
  const claim = await service.mustClaim();
  service.clock.advance(2000);
  await service.accept(claim, 150);
  expect(await backlog('MATCH')).toMatchObject({ runningJobs: 0, measuredHands: 1000, measuredSeconds: 2 });
});

test("excludes paused batches from the backlog, and stores a dealer's totals with its runner", async () => {
  const totals = {
    startedAtMs: 5,
    matches: 2,
    hands: 90,
    acts: 700,
    playMs: 800,
    seatKills: [{ reason: 'memory', count: 1 }],
    sandbox: { means: ['seccomp'], missing: [], lacking: ['own_root: no user namespaces'] },
  };
  const caller = { kind: 'runner', name: 'r-9' } as const;
  await service.client('runner').claimMatch({ runner: 'r-9', waitMs: 0, version: 'test', totals }, { caller });
  const { runners } = await service.client('pool').listRunners({});
  expect(runners.find(({ name }) => name === 'r-9')?.totals).toEqual(totals);
  const { id } = await service.gateway.createBatch({ userIds: sixUsers(), numRounds: 40 }, { caller: admin });
  await expect.poll(() => backlog('BATCH_MATCH')).toMatchObject({ queuedJobs: 1, queuedHands: 40 });
  await service.gateway.pauseBatch({ batchId: id }, { caller: admin });
  expect(await backlog('BATCH_MATCH')).toMatchObject({ queuedJobs: 0, queuedHands: 0 });
});

const { newRun, read, beat, expire } = service;

test('queues a stuck match again once, refuses one that plays, and accepts no result of the attempt before', async () => {
  const requeue = (jobId: string) => service.gateway.requeueJob({ jobId }, { caller: admin });
  const refused = { code: 'FAILED_PRECONDITION', reason: 'not-stuck' };
  const id = await newRun();
  const first = await service.mustClaim();
  await beat(first.leaseToken, { handsDone: 4 });
  for (let minute = 0; minute < 14; minute++) {
    service.clock.advance(60_000);
    await beat(first.leaseToken, { handsDone: 4 });
  }
  await expect(requeue(id)).rejects.toMatchObject(refused);
  service.clock.advance(60_000);
  await beat(first.leaseToken, { handsDone: 4 });
  expect((await read(id)).stuckReason).toBe('No hand has ended for 15 minutes');
  const other = await newRun();
  const listed = await service.gateway.listJobs({ runningFirst: true, page: 1, pageSize: 2 }, { caller: admin });
  expect(listed.jobs.map((job) => job.id)).toEqual([id, other]);
  expect(await requeue(id)).toMatchObject({ status: 'PENDING', handsDone: 0, stuckReason: '' });
  expect(await requeue(id)).toMatchObject({ status: 'PENDING' });
  expect((await service.audited()).filter(({ action }) => action === 'job.requeued')).toHaveLength(1);
  expect(await beat(first.leaseToken)).toMatchObject({ cancel: true });
  expect(await service.accept(first)).toEqual({ accepted: false, acceptedAttempt: 0 });
  const second = await service.mustClaim('runner-2');
  expect(second).toMatchObject({ jobId: id, attempt: 2 });
  await service.accept(second);
  await expect(requeue(id)).rejects.toMatchObject(refused);
  await service.accept(await service.mustClaim());
});

test('queues a match again that was given up, with its bots still pinned', async () => {
  const { id } = await service.gateway.createMatch(
    { userIds: sixUsers(), numRounds: 6, blinds: { bigBlind: 10, multiplier: '1', interval: 1 } },
    { caller: admin },
  );
  for (let loss = 1; loss <= 3; loss++) {
    const { leaseToken } = await service.mustClaim(`runner-${loss}`);
    await beat(leaseToken);
    await expire();
  }
  expect(await read(id)).toMatchObject({ status: 'FAILED', stuckReason: 'Its runners were lost' });
  expect((await service.events()).findLast((event) => event.jobId === id)).toMatchObject({ lastOfHolder: false });
  await service.gateway.requeueJob({ jobId: id }, { caller: admin });
  await service.accept(await service.mustClaim());
  expect(await read(id)).toMatchObject({ status: 'FINISHED', errorMessage: '' });
  expect((await service.events()).findLast((event) => event.jobId === id)).toMatchObject({ lastOfHolder: true });
});
