import { randomUUID } from 'node:crypto';
import { userChanged } from '@husky/contracts/events';
import { connectNats, type Messaging } from '@husky/runtime/messages/nats';
import { testNats } from '@husky/testkit/servers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { log } from './service-doubles.ts';
import { admin, bot, startService, type TestService, user } from './start-service.ts';

let service: TestService;
let auth: Messaging;
beforeAll(async () => {
  auth = await connectNats(await testNats('auth'), log, 'auth');
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  await auth.close();
});

test('consumes user_changed and ends the jobs of a deleted user', async () => {
  const caller = user();
  const { id } = await service.gateway.createTestRun(bot, { caller });
  const event = userChanged.encode({ userId: caller.id, change: 'DELETED' });
  await auth.publish(userChanged.subject, event, randomUUID(), '');
  await vi.waitFor(
    async () => {
      expect(await service.gateway.getJob({ jobId: id }, { caller: admin })).toMatchObject({ status: 'FAILED' });
    },
    { timeout: 20_000 },
  );
});

test('publishes the events of its outbox', async () => {
  const { id } = await service.gateway.createTestRun(bot, { caller: user() });
  await service.accept(await service.mustClaim());
  expect((await service.events()).map((event) => event.jobId)).toContain(id);
  await vi.waitFor(async () => expect((await service.pool.query('SELECT 1 FROM outbox')).rows).toEqual([]), 10_000);
});
