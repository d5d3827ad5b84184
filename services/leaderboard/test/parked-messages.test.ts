// The RPCs for parked messages, which every consuming service serves, with their audit records in the outbox.
import { audited, userChanged } from '@husky/contracts/events';
import { parkedMessagesOf } from '@husky/contracts/services';
import { park } from '@husky/runtime/messages/parked-messages';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { testClient } from '@husky/testkit/servers';
import { type ServiceProcess, startService } from '@husky/testkit/service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';

const admin: Caller = {
  kind: 'user',
  id: '00000000-0000-4000-8000-000000000001',
  username: 'boss',
  admin: true,
  verified: true,
};
let service: ServiceProcess;
beforeAll(async () => {
  service = await startService('leaderboard', { SIMULATION_ADDRESS: '127.0.0.1:1' });
  await service.database.admin.query(
    'CREATE TABLE leaderboard.emitted (subject text, payload bytea); ' +
      'CREATE FUNCTION leaderboard.record() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS ' +
      "'BEGIN INSERT INTO leaderboard.emitted VALUES (NEW.subject, NEW.payload); RETURN NEW; END'; " +
      'CREATE TRIGGER record AFTER INSERT ON leaderboard.outbox FOR EACH ROW EXECUTE FUNCTION leaderboard.record();',
  );
}, 120_000);
afterAll(() => service?.stop());

test('lists, replays and discards parked messages for admins, and records it', async () => {
  const client = testClient(parkedMessagesOf('leaderboard'), service.grpcPort);
  const list = async () => (await client.listParkedMessages({ pageSize: 10 }, { caller: admin })).messages;
  const poison = { durable: 'leaderboard_user_changed', subject: userChanged.subject, traceContext: '', deliveries: 8 };
  const publishedAt = new Date();
  const payload = Buffer.from([0xff]);
  await park(service.database.admin, { ...poison, messageId: 'bad', payload, reason: 'unreadable', publishedAt });
  const [message, ...more] = await list();
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    consumer: 'leaderboard_user_changed',
    messageId: 'bad',
    reason: 'unreadable',
    payloadBytes: 1,
  });
  const id = message?.id ?? '';

  const asAdmin = { caller: admin };
  expect(await client.replayParkedMessage({ id }, asAdmin)).toMatchObject({
    id,
    replayRequestedAt: expect.any(String),
  });
  await expect.poll(async () => (await list())[0]?.deliveries, { timeout: 25_000 }).toBe(9);
  expect(await refusal(client.discardParkedMessage({ id, reason: ' ' }, asAdmin))).toContain('bad-reason');
  await client.discardParkedMessage({ id, reason: 'malformed' }, asAdmin);
  expect(await list()).toEqual([]);

  for (const unknown of [id, 'none']) {
    expect(await refusal(client.replayParkedMessage({ id: unknown }, asAdmin))).toBe(
      'NOT_FOUND parked-message-unknown: There is no such parked message.',
    );
  }
  const visitor: Caller = { ...admin, admin: false } as Caller;
  expect(await refusal(client.listParkedMessages({ pageSize: 10 }, { caller: visitor }))).toContain('not-admin');
  expect(await refusal(client.listParkedMessages({ pageSize: 1001 }, asAdmin))).toContain('page-invalid');

  const { rows } = await service.database.admin.query<{ payload: Buffer }>('SELECT payload FROM leaderboard.emitted');
  const records = rows.map((row) => audited('leaderboard').decode(row.payload));
  expect(records.map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ['parked_message.replayed', id],
    ['parked_message.discarded', id],
  ]);
  expect(JSON.parse(records[1]?.afterJson ?? '')).toEqual({ reason: 'malformed' });
  client.close();
}, 90_000);
