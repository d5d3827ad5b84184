import { randomUUID } from 'node:crypto';
import { audited, jobEnded, userChanged } from '@husky/contracts/events';
import { connectNats, type Messaging } from '@husky/runtime/messages/nats';
import { testNats } from '@husky/testkit/servers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { consumeEvents } from '../src/events/consume-events.ts';
import { files, log, startService, type TestService, user } from './start-service.ts';

let service: TestService;
const closers: (() => Promise<void>)[] = [];
let auth: Messaging;
let simulation: Messaging;

beforeAll(async () => {
  service = await startService();
  auth = await connectNats(await testNats('auth'), log, 'auth');
  simulation = await connectNats(await testNats('simulation'), log, 'simulation');
  const own = await connectNats(await testNats('submission'), log);
  const consumers = consumeEvents(own, service.pool);
  closers.push(
    ...consumers.map((consumer) => () => consumer.stop()),
    ...[own, auth, simulation].map((one) => () => one.close()),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
  await service.stop();
});

test('deletes the submissions of a deleted user and of nobody else', async () => {
  const id = randomUUID();
  const caller = user(id);
  await service.gateway.upload(files(), { caller });
  const publish = (change: 'UPDATED' | 'DELETED') =>
    auth.publish(userChanged.subject, userChanged.encode({ userId: id, change }), randomUUID(), '');
  await publish('UPDATED');
  await publish('DELETED');
  await vi.waitFor(async () => {
    expect((await service.gateway.listSubmissions({}, { caller })).submissions).toEqual([]);
  }, 10_000);
});

test('releases pins when the last job of their holder has ended', async () => {
  const [kept, released] = [randomUUID(), randomUUID()];
  await service.simulation.pinHouse({ holderId: kept });
  await service.simulation.pinHouse({ holderId: released });
  const publish = (holderId: string, lastOfHolder: boolean) =>
    simulation.publish(
      jobEnded.subject,
      jobEnded.encode({ jobId: randomUUID(), holderId, lastOfHolder }),
      randomUUID(),
      '',
    );
  await publish(kept, false);
  await publish(released, true);
  await vi.waitFor(async () => {
    const { rows } = await service.pool.query('SELECT holder_id FROM pins');
    expect(rows).toEqual([{ holder_id: kept }]);
  }, 10_000);
});

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
