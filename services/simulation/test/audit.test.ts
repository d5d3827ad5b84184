import { withRequestId } from '@husky/runtime/telemetry/request-id';
import { afterAll, expect, test } from 'vitest';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

test('writes an audit record of every change with its request, but not of refused ones', async () => {
  const asAdmin = { caller: admin };
  const caller = user();
  const { gateway } = service;
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
  const records = await service.audited();
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
