import { randomUUID } from 'node:crypto';
import { userChanged } from '@husky/contracts/events';
import { connectNats } from '@husky/runtime/messages/nats';
import { withRequestId } from '@husky/runtime/telemetry/request-id';
import { testNats } from '@husky/testkit/servers';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { deleteUser } from '../src/events/user-changed.ts';
import { log } from './service-doubles.ts';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
const auth = await connectNats(await testNats('auth'), log, 'auth');
const { doubles, gateway, context, pool } = service;
afterEach(() => {
  doubles.beforePinning = async () => undefined;
});
afterAll(async () => {
  await service.stop();
  await auth.close();
});

const asAdmin = { caller: admin };

test.each([
  ['test run', (caller: ReturnType<typeof user>) => gateway.createTestRun(bot, { caller })],
  [
    'match',
    (caller: ReturnType<typeof user>) => gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, { caller }),
  ],
  [
    'batch',
    (caller: ReturnType<typeof user>) => gateway.createBatch({ userIds: sixUsers(), numRounds: 6 }, { caller }),
  ],
])('refuses a %s whose owner is deleted while it is created', async (_what, create) => {
  const caller = user(undefined, { admin: true });
  doubles.beforePinning = () => deleteUser(context, caller.id);
  const refused = { code: 'UNAUTHENTICATED', reason: 'user-deleted', message: 'This account has been deleted' };
  await expect(create(caller)).rejects.toMatchObject(refused);
  expect((await gateway.listJobs({ ownerId: caller.id }, asAdmin)).total).toBe(0);
  expect((await gateway.listBatches({}, asAdmin)).total).toBe(0);
  expect(doubles.pins.size).toBe(0);
});

test('stores no quota of a deleted user', async () => {
  const { id: userId } = user();
  const set = () => gateway.setUserQuota({ userId, own: { maxTestRuns: 1 } }, asAdmin);
  await set();
  await deleteUser(context, userId);
  await deleteUser(context, userId);
  await expect(set()).rejects.toMatchObject({ code: 'NOT_FOUND', reason: 'no-such-user' });
  expect((await pool.query('SELECT FROM user_quotas')).rowCount).toBe(0);
});

test('consumes user_changed and ends the jobs of a deleted user', async () => {
  const caller = user();
  const { id } = await gateway.createTestRun(bot, { caller });
  const event = userChanged.encode({ userId: caller.id, change: 'DELETED' });
  await auth.publish(userChanged.subject, event, randomUUID(), '');
  await vi.waitFor(
    async () => {
      expect(await gateway.getJob({ jobId: id }, asAdmin)).toMatchObject({ status: 'FAILED' });
    },
    { timeout: 20_000 },
  );
});

test('publishes the events of its outbox', async () => {
  const { id } = await gateway.createTestRun(bot, { caller: user() });
  await service.accept(await service.mustClaim());
  expect((await service.events()).map((event) => event.jobId)).toContain(id);
  await vi.waitFor(async () => expect((await pool.query('SELECT 1 FROM outbox')).rows).toEqual([]), 10_000);
});

test('writes an audit record of every change with its request, but not of refused ones', async () => {
  const before = (await service.audited()).length;
  const caller = user();
  const own = await withRequestId('request-one', () => gateway.createTestRun(bot, { caller }));
  const job = await gateway.createMatch({ userIds: sixUsers(), numRounds: 6, blinds: null }, asAdmin);
  await expect(gateway.deleteJob({ jobId: job.id }, { caller })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await gateway.deleteJob({ jobId: job.id }, asAdmin);
  const batch = await gateway.createBatch({ userIds: sixUsers() }, asAdmin);
  const request = { batchId: batch.id };
  await gateway.setBatchMetadata({ ...request, metadataJson: '{"batch_number":4}' }, asAdmin);
  await gateway.pauseBatch(request, asAdmin);
  await gateway.resumeBatch(request, asAdmin);
  await gateway.cancelBatch(request, asAdmin);
  await gateway.retryBatch(request, asAdmin);
  await expect(gateway.deleteBatch(request, { caller })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await gateway.deleteBatch(request, asAdmin);
  const records = (await service.audited()).slice(before);
  expect(records.map((one) => [one.action, one.actorId, one.subjectId])).toEqual([
    ['job.created', caller.id, own.id],
    ['job.created', admin.id, job.id],
    ['job.deleted', admin.id, job.id],
    ['batch.created', admin.id, batch.id],
    ...['metadata_saved', 'paused', 'resumed', 'cancelled', 'retried', 'deleted'].map((verb) => [
      `batch.${verb}`,
      admin.id,
      batch.id,
    ]),
  ]);
  expect(records[0]?.requestId).toBe('request-one');
  expect(records[4]?.afterJson).toBe('{"batch_number":4}');
  expect(JSON.parse(records[6]?.beforeJson ?? '')).toMatchObject({ paused: true });
});
