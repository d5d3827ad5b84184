// Poison messages on a real NATS, parked in a real database and replayed.
import { jobEnded } from '@husky/contracts/events';
import { type TestDatabase, testDatabase, testNats } from '@husky/testkit/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureParkedMessages } from '../src/database/database-metrics.ts';
import { connectNats, type Messaging } from '../src/messages/nats.ts';
import { park, startReplay } from '../src/messages/parked-messages.ts';
import { createLogger } from '../src/process/logger.ts';
import { DomainError } from '../src/rpc/errors.ts';
import { startTelemetry, type Telemetry } from '../src/telemetry/telemetry.ts';

const log = createLogger('test', 'fatal');
const durable = 'listener_job_ended';
let database: TestDatabase;
let publisher: Messaging;
let listener: Messaging;
let telemetry: Telemetry;

beforeAll(async () => {
  telemetry = await startTelemetry('test');
  database = await testDatabase('leaderboard');
  publisher = await connectNats(await testNats('simulation'), log, 'simulation');
  listener = await connectNats(await testNats('listener'), log);
});

afterAll(async () => {
  await publisher?.close();
  await listener?.close();
  await database?.drop();
  await telemetry?.shutdown();
});

interface Parked {
  readonly message_id: string;
  readonly reason: string;
  readonly deliveries: number;
  readonly payload: Buffer;
  readonly replay_requested_at: Date | null;
}

const parked = async () =>
  (await database.admin.query<Parked>('SELECT * FROM parked_messages ORDER BY message_id')).rows;

/** Runs statements in a transaction that is not committed. */
async function query(...statements: readonly string[]): Promise<void> {
  const client = await database.admin.connect();
  try {
    for (const statement of ['BEGIN', ...statements]) await client.query(statement);
  } finally {
    client.release(true);
  }
}

const encode = (jobId: string) => jobEnded.encode({ jobId });

const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds, { timeout: 25_000 }).toBe(true);

test('parks malformed and unhandled messages and those on which another service fails by a defect, and handles later ones; transient errors are retried without end', async () => {
  const handled: string[] = [];
  const outages = new Map<string, () => Promise<unknown>>([
    ['refused', () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))],
    ['overloaded database', () => query('SET LOCAL statement_timeout = 10', 'SELECT pg_sleep(10)')],
    ['standby after a failover', () => query('SET TRANSACTION READ ONLY', 'DELETE FROM parked_messages')],
  ]);
  const failures = new Map<string, number>();
  const consumer = listener.consume(
    jobEnded,
    durable,
    async ({ jobId }) => {
      if (jobId === 'poison') throw new Error('no such batch');
      if (jobId === 'defect') throw new DomainError('INTERNAL', 'internal', 'Internal server error');
      const count = failures.get(jobId) ?? 0;
      failures.set(jobId, count + 1);
      if (count < 3) await outages.get(jobId)?.();
      handled.push(jobId);
    },
    { maxDeliveries: 2, park: (poison) => park(database.admin, poison) },
  );
  const { subject } = jobEnded;
  await publisher.publish(subject, Buffer.from([0xff, 0xff, 0xff, 0xff]), 'malformed', '');
  await publisher.publish(subject, encode('poison'), 'unhandled', '');
  await publisher.publish(subject, encode('defect'), 'defect', '');
  for (const outage of outages.keys()) await publisher.publish(subject, encode(outage), outage, '');
  await publisher.publish(subject, encode('good'), 'good', '');
  await until(async () => (await parked()).length === 3 && handled.includes('good'));
  expect(await parked()).toMatchObject([
    { message_id: 'defect', deliveries: 2, reason: 'Internal server error' },
    { message_id: 'malformed', deliveries: 2, payload: Buffer.from([0xff, 0xff, 0xff, 0xff]) },
    { message_id: 'unhandled', deliveries: 2, reason: 'no such batch' },
  ]);
  await until(() => [...outages.keys()].every((outage) => handled.includes(outage)));
  await consumer.stop();
  expect((await parked()).map((row) => row.message_id)).toEqual(['defect', 'malformed', 'unhandled']);
}, 60_000);

test('exports how many messages are parked', async () => {
  const stop = measureParkedMessages(database.admin);
  expect(await telemetry.metricsText()).toMatch(/^husky_parked_messages(\{[^}]*\})? 3$/m);
  stop();
});

test('replays a parked message on request: removed on success, otherwise parked with the new reason', async () => {
  const handled: string[] = [];
  const handler = async (payload: Uint8Array) => void handled.push(jobEnded.decode(payload).jobId);
  await database.admin.query('UPDATE parked_messages SET replay_requested_at = now()');
  const replay = startReplay(database.admin, new Map([[durable, handler]]), log);
  try {
    await until(async () => (await parked()).every((row) => row.replay_requested_at === null));
    await until(async () => (await parked()).length === 1);
    expect(handled.toSorted()).toEqual(['defect', 'poison']);
    expect(await parked()).toMatchObject([{ message_id: 'malformed', deliveries: 3 }]);
  } finally {
    await replay.stop();
  }
}, 60_000);

test('refuses to publish a message above the limit of the server', async () => {
  const tooLarge = Buffer.alloc(9 << 20);
  await expect(publisher.publish(jobEnded.subject, tooLarge, 'large', '')).rejects.toThrow(/payload/i);
});
