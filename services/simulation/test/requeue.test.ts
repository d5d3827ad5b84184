import { afterAll, expect, test } from 'vitest';
import { admin, sixUsers, startService } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

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
