import { randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import { expect, test } from 'vitest';
import { files, startService, user } from './start-service.ts';

test('writes audit records of uploads, final marks and deletions with their actor', async () => {
  const service = await startService();
  try {
    const [id, adminId] = [randomUUID(), randomUUID()];
    const caller = user(id);
    const uploaded = await service.gateway.upload(files(), { caller });
    const request = { submissionId: uploaded.id };
    await service.gateway.markFinal(request, { caller });
    await service.gateway.unmarkFinal(request, { caller });
    await service.gateway.deleteSubmission(request, { caller: user(adminId, { admin: true }) });
    const { rows } = await service.pool.query<{ payload: Buffer }>('SELECT payload FROM outbox ORDER BY id');
    const records = rows.map((row) => audited('submission').decode(row.payload));
    expect(records.map((one) => [one.action, one.actorId, one.subjectId])).toEqual([
      ['submission.uploaded', id, uploaded.id],
      ['submission.marked_final', id, uploaded.id],
      ['submission.unmarked_final', id, uploaded.id],
      ['submission.deleted', adminId, uploaded.id],
    ]);
    expect(JSON.parse(records[3]?.beforeJson ?? '')).toMatchObject({ user_id: id, final: false });
  } finally {
    await service.stop();
  }
});
