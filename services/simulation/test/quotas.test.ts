import { randomUUID } from 'node:crypto';
import { defaultQuota, quotaChanged } from '@husky/contracts/events';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import { admin, bot, startService, user } from './start-service.ts';

const service = await startService({}, 1, { quota: { ...defaultQuota, maxTestRuns: 2, maxTestRunsADay: 3 } });
afterAll(() => service.stop());

const asAdmin = { caller: admin };
const dayMs = 24 * 3_600_000;
const run = (caller: ReturnType<typeof user>) => service.gateway.createTestRun(bot, { caller });
async function runAndEnd(caller: ReturnType<typeof user>): Promise<void> {
  const { id = '' } = await run(caller);
  await service.gateway.deleteJob({ jobId: id }, { caller });
}

test('counts deleted test runs for 24 hours', async () => {
  const caller = user();
  service.clock.advance(Date.UTC(2026, 0, 2, 10, 30) - service.clock.now());
  await runAndEnd(caller);
  service.clock.advance(3_600_000);
  for (let time = 0; time < 2; time++) await runAndEnd(caller);
  await expect(run(caller)).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    reason: 'too-many-test-runs-today',
    retryAfterS: 23 * 3600,
    message: 'You have used all of your 3 test runs of 24 hours. The next one can start at 10:30 UTC on 2026-01-03.',
  });
  service.clock.advance(dayMs - 3_600_000);
  await runAndEnd(caller);
  await expect(run(caller)).rejects.toMatchObject({ reason: 'too-many-test-runs-today', retryAfterS: 3600 });
});

test('never exceeds a quota with concurrent test runs', async () => {
  const caller = user();
  const runs = await Promise.allSettled(Array.from({ length: 8 }, () => run(caller)));
  expect(runs.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const other = user();
  await service.gateway.setUserQuota({ userId: other.id, own: { maxTestRuns: 50, maxTestRunsADay: 3 } }, asAdmin);
  const more = await Promise.allSettled(Array.from({ length: 8 }, () => run(other)));
  expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test("applies a user's own quota before the event's, and versions, audits and publishes it", async () => {
  const caller = user();
  const userId = caller.id;
  const before = await service.gateway.getUserQuota({ userId }, asAdmin);
  expect(before).toMatchObject({
    userId,
    version: 0,
    updatedById: '',
    effective: { maxTestRuns: 2, maxTestRunsADay: 3, maxSubmissions: 5, maxUploadsADay: 100 },
  });
  const set = (own: object, expectedVersion: number) =>
    service.gateway.setUserQuota({ userId, own, expectedVersion }, asAdmin);
  const [first, second] = await Promise.allSettled([
    set({ maxTestRuns: 1, maxSubmissions: 9 }, 0),
    set({ maxTestRuns: 4 }, 0),
  ]);
  const refused = [first, second].filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toMatchObject({
    code: 'ABORTED',
    reason: 'quota-changed',
    message: 'Somebody else has changed this quota since you opened it. Reload it first.',
  });
  const after = await set({ maxTestRuns: 1, maxSubmissions: 9 }, 1);
  expect(after).toMatchObject({ version: 2, own: { maxTestRuns: 1, maxSubmissions: 9 }, updatedById: admin.id });
  expect(after.effective).toMatchObject({ maxTestRuns: 1, maxTestRunsADay: 3, maxSubmissions: 9, maxUploadsADay: 100 });
  await run(caller);
  await expect(run(caller)).rejects.toMatchObject({
    message: 'You already have a test run that has not ended. Please wait for one to end.',
  });
  await set({ maxTestRuns: 0 }, 2);
  await expect(run(caller)).rejects.toMatchObject({ message: 'The organisers allow you no test runs at present.' });

  const entry = (await service.audited()).findLast((one) => one.action === 'user.quota_changed');
  expect(entry).toMatchObject({ actorId: admin.id, subjectKind: 'user', subjectId: userId });
  expect(JSON.parse(entry?.beforeJson ?? '')).toMatchObject({ max_test_runs: 1, max_submissions: 9 });
  expect(JSON.parse(entry?.afterJson ?? '')).toMatchObject({ max_test_runs: 0, max_submissions: null });
  const { rows } = await service.database.admin.query<{ payload: Buffer }>(
    sql`SELECT payload FROM emitted WHERE subject = ${quotaChanged.subject} ORDER BY id`,
  );
  const published = rows.map((row) => quotaChanged.decode(row.payload)).filter((event) => event.userId === userId);
  expect(published.map(({ version }) => version)).toEqual([1, 2, 3]);
  expect(published[1]).toMatchObject({ maxSubmissions: 9 });
  expect(published[2]?.maxSubmissions ?? null).toBeNull();
});

test('refuses quotas outside their bounds and callers who are not admins', async () => {
  const userId = randomUUID();
  for (const own of [{ maxTestRuns: -1 }, { maxTestRuns: 101 }, { maxSubmissions: 101 }, { maxUploadsADay: 10_001 }]) {
    await expect(service.gateway.setUserQuota({ userId, own }, asAdmin)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'quota-invalid',
    });
  }
  const caller = user();
  for (const call of [
    () => service.gateway.getUserQuota({ userId: caller.id }, { caller }),
    () => service.gateway.setUserQuota({ userId: caller.id, own: { maxTestRuns: 100 } }, { caller }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  }
  await expect(service.gateway.getUserQuota({ userId: 'x' }, asAdmin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
