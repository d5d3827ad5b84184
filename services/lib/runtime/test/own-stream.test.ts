// The stream of a service on a real NATS: its limit, and streams of the version before.
import { jobEnded } from '@husky/contracts/events';
import { type TestNats, testNats } from '@husky/testkit/servers';
import { jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectNats, type Messaging } from '../src/messages/nats.ts';
import { createLogger } from '../src/process/logger.ts';
import { startTelemetry, type Telemetry } from '../src/telemetry/telemetry.ts';

const log = createLogger('test', 'silent');
const name = 'husky_simulation';
const mib = 1024 * 1024;
let nats: TestNats;
let telemetry: Telemetry;
let messaging: Messaging | undefined;

beforeAll(async () => {
  telemetry = await startTelemetry('test');
  nats = await testNats('simulation');
});

afterEach(async () => {
  await messaging?.close();
  messaging = undefined;
});

afterAll(() => telemetry?.shutdown());

/** The streams as their owner sees them. */
async function openStreams() {
  const { url, user, password: pass } = nats;
  const connection = await connect({ servers: url, user, pass, inboxPrefix: `_INBOX.${user}` });
  onTestFinished(() => connection.close());
  return (await jetstreamManager(connection, { checkAPI: false })).streams;
}

const open = async (streamMaxBytes?: number) => {
  messaging = await connectNats({ ...nats, ...(streamMaxBytes ? { streamMaxBytes } : {}) }, log, 'simulation');
  return messaging;
};

const id = '0'.repeat(36);
const result = { userId: id, delta: 12_345, faults: 'took too long 3 times', faultText: 'x'.repeat(100) };
const payload = jobEnded.encode({
  jobId: id,
  ownerId: id,
  holderId: id,
  batchId: id,
  kind: 'BATCH_MATCH',
  status: 'Finished',
  handsPlayed: 1000,
  results: Array.from({ length: 6 }, () => result),
});

async function publish(to: Messaging, count: number, first = 0): Promise<void> {
  for (let index = first; index < first + count; index++) {
    await to.publish(jobEnded.subject, payload, `${id}${index}`, '');
  }
}

test('limits a stream that the version before has created, and keeps its events', async () => {
  const streams = await openStreams();
  await streams.add({
    name,
    subjects: ['husky.simulation.>'],
    retention: RetentionPolicy.Limits,
    max_age: 7 * 86_400e9,
  });
  const publisher = await connectNats(nats, log);
  onTestFinished(() => publisher.close());
  await publish(publisher, 50);
  await open();
  const { config, state } = await streams.info(name);
  expect([config.max_bytes, config.discard, state.messages]).toEqual([512 * mib, 'old', 50]);
  expect(state.bytes / state.messages, 'size of an event, by which the limit is chosen').toBeLessThan(2048);
});

test('an update to a smaller limit removes no event, and the next ones have the usual room', async () => {
  const streams = await openStreams();
  const before = (await streams.info(name)).state;
  const limit = Math.floor(before.bytes / 2);
  const publisher = await open(limit);
  const { config, state } = await streams.info(name);
  expect([config.max_bytes, state.messages]).toEqual([before.bytes + limit, before.messages]);
  await publish(publisher, 100, 1000);
  const full = (await streams.info(name)).state;
  expect(full.bytes).toBeLessThanOrEqual(before.bytes + limit);
  expect(full.first_seq, 'the oldest events make room').toBeGreaterThan(before.first_seq);
});

test('works without a limit on a server that has no room for it', async () => {
  const streams = await openStreams();
  const publisher = await open(8192 * mib);
  expect((await streams.info(name)).config.max_bytes).toBe(-1);
  await publish(publisher, 1, 2000);
  await publisher.close();
  await open();
  expect((await streams.info(name)).config.max_bytes).toBe(512 * mib);
});

test('exports size and limit of the stream', async () => {
  await open();
  const text = await telemetry.metricsText();
  expect(text).toMatch(/^messaging_stream_bytes\{stream="husky_simulation"[^}]*\} [1-9]\d*$/m);
  expect(text).toMatch(/^messaging_stream_max_bytes\{stream="husky_simulation"[^}]*\} 536870912$/m);
});
