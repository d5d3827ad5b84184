// The outbox relay on a real NATS and a real database.
import { userChanged } from '@husky/contracts/events';
import { type TestDatabase, testDatabase, testNats } from '@husky/testkit/servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { connectNats, type Messaging } from '../src/messages/nats.ts';
import { emit, startOutboxRelay } from '../src/messages/outbox.ts';
import { createLogger } from '../src/process/logger.ts';

const log = createLogger('test', 'silent');
const { subject } = userChanged;
const largeBytes = 9 << 20;
let database: TestDatabase;
let messaging: Messaging;
beforeAll(async () => {
  messaging = await connectNats(await testNats('auth'), log, 'auth');
});
afterAll(() => messaging?.close());
beforeEach(async () => {
  database = await testDatabase('auth');
  // An event that is larger than NATS accepts, and two others.
  await database.admin.query(
    sql`INSERT INTO outbox (subject, payload) VALUES (${subject}, convert_to(repeat('x', ${largeBytes}), 'UTF8'))`,
  );
  await emit(database.admin, userChanged, { userId: 'one' }, { userId: 'two' });
});
afterEach(() => database?.drop());

/** Returns the sizes of the events in a table. */
async function sizesOf(table: 'outbox' | 'published_events' | 'parked_messages'): Promise<number[]> {
  const { rows } = await database.admin.query<{ bytes: number }>(
    `SELECT octet_length(payload) AS bytes FROM ${table} ORDER BY bytes`,
  );
  return rows.map(({ bytes }) => bytes);
}

/** Runs the relay until a number of events is published. */
async function relayUntilPublished(count: number): Promise<void> {
  const relay = startOutboxRelay(database.admin, messaging, log);
  try {
    await expect.poll(async () => (await sizesOf('published_events')).length, { timeout: 20_000 }).toBe(count);
  } finally {
    await relay.stop();
  }
}

test('parks an event that is larger than NATS accepts, publishes later ones, and publishes it when a replay is requested', async () => {
  await relayUntilPublished(2);
  expect(await sizesOf('outbox')).toEqual([]);
  const { rows } = await database.admin.query('SELECT durable, subject, reason FROM parked_messages');
  const reason = expect.stringMatching(/^larger than the \d+ bytes that NATS accepts$/);
  expect(rows).toEqual([{ durable: 'outbox_relay', subject, reason }]);
  expect(await sizesOf('parked_messages')).toEqual([largeBytes]);

  // A shorter event stands for a NATS that accepts more.
  await database.admin.query(`UPDATE parked_messages SET payload = '', replay_requested_at = now()`);
  await relayUntilPublished(3);
  expect(await sizesOf('parked_messages')).toEqual([]);
}, 60_000);

test('keeps such an event in the outbox of a service that parks none, and publishes later ones', async () => {
  await database.admin.query('DROP TABLE parked_messages');
  await relayUntilPublished(2);
  expect(await sizesOf('outbox')).toEqual([largeBytes]);
}, 60_000);

test('moves the rows that are published when an earlier one cannot be', async () => {
  await database.admin.query(`UPDATE outbox SET subject = 'husky.nowhere.changed', payload = '' WHERE id = 1`);
  await relayUntilPublished(2);
  expect(await sizesOf('outbox')).toEqual([0]);
}, 60_000);

/** Runs the relay until it has asked when the stream was created. Returns the number of published events that are left. */
async function countAfterTidying(readStreamCreated: Messaging['readStreamCreated']): Promise<number> {
  let tidied = false;
  const relay = startOutboxRelay(
    database.admin,
    {
      ...messaging,
      async readStreamCreated() {
        tidied = true;
        return readStreamCreated();
      },
    },
    log,
  );
  await expect.poll(() => tidied).toBe(true);
  await relay.stop();
  return (await sizesOf('published_events')).length;
}

test('keeps published events while NATS does not answer, and removes them after an hour when it does', async () => {
  await relayUntilPublished(2);
  await database.admin.query(`UPDATE published_events SET published_at = now() - interval '2 hours'`);
  expect(await countAfterTidying(() => Promise.reject(new Error('away')))).toBe(2);
  expect(await countAfterTidying(async () => 'another stream')).toBe(2);
  expect(await countAfterTidying(() => messaging.readStreamCreated())).toBe(0);
}, 60_000);
