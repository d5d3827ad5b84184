import { randomUUID } from 'node:crypto';
import { audited, defaultQuota, quotaChanged } from '@husky/contracts/events';
import { sql } from '@husky/runtime/database/sql';
import { auditedMessage } from '@husky/runtime/messages/audit';
import { connectNats } from '@husky/runtime/messages/nats';
import { testNats } from '@husky/testkit/servers';
import { afterAll, expect, test, vi } from 'vitest';
import { testUpload } from '../src/events/upload-ready.ts';
import { log } from './service-doubles.ts';
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

/** Stores an upload in the double of submission. Returns its id. */
function upload(userId: string): string {
  const id = randomUUID();
  service.clock.advance(1000);
  service.doubles.uploads.set(id, { userId, uploadedAt: new Date(service.clock.now()).toISOString() });
  return id;
}

test('plays a test run of each upload that is ready, once, beside the quota of its user', async () => {
  const caller = user();
  const jobs = async () => (await service.gateway.listJobs({ ownerId: caller.id }, { caller })).jobs;
  const submission = await connectNats(await testNats('submission'), log, 'submission');
  const { subject, encode } = audited('submission');
  const tell = (action: string, subjectId: string, state: string) => {
    const message = auditedMessage(caller, { action, subjectKind: 'submission', subjectId, after: { state } });
    return submission.publish(subject, encode(message), message.id, '');
  };
  const ready = upload(caller.id);
  await tell('submission.deleted', upload(caller.id), 'ready');
  await tell('submission.uploaded', upload(caller.id), 'preparing');
  await tell('submission.prepared', randomUUID(), 'ready');
  await tell('submission.prepared', ready, 'ready');
  await tell('submission.uploaded', ready, 'ready');
  await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ kind: 'TEST_RUN', numRounds: 10 }]), 10_000);
  await submission.close();
  for (let time = 0; time < 2; time++) await run(caller);
  await expect(run(caller)).rejects.toMatchObject({ reason: 'too-many-test-runs' });
  expect(await jobs()).toHaveLength(3);
});

test('keeps one waiting test run of the uploads of a user, that of the newest, in whatever order they come', async () => {
  const caller = user();
  const botsOf = async () => (await service.gateway.listJobs({ ownerId: caller.id }, asAdmin)).jobs;
  const [first, second, third] = [upload(caller.id), upload(caller.id), upload(caller.id)];
  for (const id of [first, third, second, first, third]) await testUpload(service.context, id);
  const [waiting, ...others] = await botsOf();
  expect(others).toEqual([]);
  expect(service.doubles.pins.get(waiting?.id ?? '')?.size).toBe(2);
  const { rows } = await service.pool.query(
    sql`SELECT submission_id AS id FROM test_run_starts WHERE job_id = ${waiting?.id ?? ''}`,
  );
  expect(rows).toEqual([{ id: third }]);

  await service.gateway.setUserQuota({ userId: caller.id, own: { maxTestRunsADay: 0 } }, asAdmin);
  await testUpload(service.context, upload(caller.id));
  expect((await botsOf()).map(({ id }) => id)).toEqual([waiting?.id]);
});
