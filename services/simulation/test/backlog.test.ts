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
