// Malformed and oversized requests to every call of every contract, and malformed events.

import { once } from 'node:events';
import { connect } from 'node:http2';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { audited, entriesChanged, jobEnded, quotaChanged, settingsChanged, userChanged } from '@husky/contracts/events';
import {
  authService,
  leaderboardService,
  liveDataService,
  poolService,
  type ServiceContract,
  simulationService,
  submissionService,
} from '@husky/contracts/services';
import { auditedDomains } from '@husky/contracts/subjects';
import type { Caller } from '@husky/runtime/rpc/caller';
import { testIdentities } from '@husky/testkit/servers';
import { type ServiceDouble, startDouble } from '@husky/testkit/service-double';
import { afterEach, expect, test } from 'vitest';
import { anyone } from '../src/rpc/access.ts';

const services: readonly ServiceContract<object>[] = [
  authService,
  submissionService,
  simulationService,
  liveDataService,
  leaderboardService,
  poolService,
];
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Sends bytes as the request of a call. Returns the error of the response; rejects if the call succeeds. */
function sendBytes(server: ServiceDouble, path: string, bytes: Buffer, token: string): Promise<ServiceError> {
  const client = new Client(server.address, credentials.createInsecure(), { 'grpc.max_send_message_length': -1 });
  closers.push(() => client.close());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return new Promise((resolve, reject) => {
    const asIs = (value: Buffer) => value;
    // A stream that fails before its first message responds like a unary call.
    client.makeUnaryRequest(path, asIs, asIs, bytes, metadata, (error) =>
      error ? resolve(error) : reject(new Error(`${path} succeeded`)),
    );
  });
}

/** An unknown wire type, and an unterminated varint. */
const unreadable = [Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from([0x8a])];

const caller = { kind: 'anonymous' } as const;
const kib = 1024;

test.each(services.map((contract) => [contract.name, contract] as const))(
  '%s refuses malformed requests of all its calls and keeps serving',
  async (name, contract) => {
    const server = await startDouble(contract, anyone, {});
    closers.push(() => server.stop());
    const token = await testIdentities().signerOf('gateway').sign(name, caller);
    for (const { path, responseStream } of Object.values(contract.client.service)) {
      for (const bytes of unreadable) {
        const { code, details, metadata } = await sendBytes(server, path, bytes, token);
        expect([path, code, details, ...metadata.get('reason')]).toEqual([
          path,
          status.INVALID_ARGUMENT,
          'The request is not a message of this call',
          'malformed-request',
        ]);
      }
      // The server still responds. The double has no streams.
      if (responseStream) continue;
      const { code, details } = await sendBytes(server, path, Buffer.alloc(0), token);
      expect([code, details]).toEqual([status.UNIMPLEMENTED, `The double of ${name} does not implement this call`]);
    }
  },
);

test('refuses a message above the largest limit of the server with a sentence and serves the next one', async () => {
  const server = await startDouble(authService, anyone, { getKeys: async () => ({}) });
  closers.push(() => server.stop());
  const token = await testIdentities().signerOf('gateway').sign('auth', caller);
  const path = authService.client.service.GetKeys?.path ?? '';
  const { code, details } = await sendBytes(server, path, Buffer.alloc(17 << 20), token);
  expect([code, details]).toEqual([
    status.RESOURCE_EXHAUSTED,
    expect.stringMatching(/^Received message larger than max/),
  ]);
  await expect(sendBytes(server, path, Buffer.alloc(0), token)).rejects.toThrow('succeeded');
});

test('does not read a malformed or oversized request before the identity', async () => {
  const server = await startDouble(authService, anyone, {});
  closers.push(() => server.stop());
  const path = authService.client.service.GetKeys?.path ?? '';
  for (const bytes of [Buffer.from([0xff]), Buffer.alloc(100 * kib)]) {
    const { code } = await sendBytes(server, path, bytes, 'forged');
    expect(code).toBe(status.UNAUTHENTICATED);
  }
});

/** Starts a double whose calls all succeed. */
async function startAccepting(contract: ServiceContract<object>): Promise<ServiceDouble> {
  const names = Object.keys(contract.client.service).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const server = await startDouble(contract, anyone, Object.fromEntries(names.map((name) => [name, async () => ({})])));
  closers.push(() => server.stop());
  return server;
}

const lease: Caller = { kind: 'lease', jobId: '00000000-0000-4000-8000-000000000001', attempt: 1, runner: 'r' };
const signAs = (name: string, by: Caller) =>
  by.kind === 'lease'
    ? testIdentities().signerOf('simulation').sign([name], by, 60)
    : testIdentities().signerOf('gateway').sign(name, by);

const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);
const id = '00000000-0000-4000-8000-000000000001';
const file = Buffer.alloc(1024 * kib);
const text = '\uffff'.repeat(300);
const seatFault = { userId: id, counts: list(8, { kind: 'exception', count: 1 }), firstText: text };
/** The largest requests that the platform's own limits permit. */
const largest: readonly [ServiceContract<object>, string, object, Caller?][] = [
  [authService, 'GetNames', { ids: list(5000, id) }],
  [authService, 'ResolveNames', { usernames: list(1000, 'x'.repeat(32)) }],
  [leaderboardService, 'ListAppliedJobs', { jobIds: list(1000, id) }],
  [liveDataService, 'ListPublicBatches', { batchIds: list(1000, id) }],
  [liveDataService, 'DeliverChunk', { chunk: Buffer.alloc(512 * kib) }, lease],
  [liveDataService, 'DeliverSeatReport', { log: '\ufffd'.repeat(256 * kib) }, lease],
  [liveDataService, 'CompleteMatch', { disabled: list(6, { seat: 5, reason: text }) }, lease],
  [liveDataService, 'GetStandings', { of: { jobIds: list(100_000, id) } }],
  [liveDataService, 'StartExport', { batches: list(200, { batchId: id, metadataJson: 'x'.repeat(64 * kib) }) }],
  [simulationService, 'ListBatchNumbers', { batchIds: list(1000, id) }],
  [simulationService, 'LastTestRuns', { botHashes: list(100, 'a'.repeat(64)) }],
  [simulationService, 'CordonRunners', { names: list(1000, 'x'.repeat(63)) }],
  [simulationService, 'CreateTestRun', { playerFile: file, requirementsFile: file }],
  [simulationService, 'SetBatchMetadata', { batchId: id, metadataJson: 'x'.repeat(64 * kib) }],
  [simulationService, 'AcceptResult', { disabled: list(6, { reason: text }), seatFaults: list(6, seatFault) }],
  [submissionService, 'StageBot', { files: { playerFile: file, requirementsFile: file } }],
  [submissionService, 'Upload', { playerFile: file, requirementsFile: file }],
];

test('accepts the largest requests that the platform makes', async () => {
  for (const contract of new Set(largest.map(([of]) => of))) {
    const server = await startAccepting(contract);
    for (const [, name, message, by = caller] of largest.filter(([of]) => of === contract)) {
      const method = contract.client.service[name];
      const bytes = method?.requestSerialize(message) ?? Buffer.alloc(0);
      const token = await signAs(contract.name, by);
      await expect(sendBytes(server, method?.path ?? '', bytes, token), name).rejects.toThrow('succeeded');
    }
  }
});

test.each([
  ['a visitor', caller, authService, 'GetKeys', 64],
  ['a runner', lease, liveDataService, 'OpenAttempt', 64],
  ['a runner', lease, liveDataService, 'GetStandings', 1024],
] as const)('refuses a request of %s above the limit', async (_, by, contract, name, maxKib) => {
  const server = await startAccepting(contract);
  const path = contract.client.service[name]?.path ?? '';
  const token = await signAs(contract.name, by);
  const { code, details, metadata } = await sendBytes(server, path, Buffer.alloc(maxKib * kib + 1), token);
  expect([code, details, ...metadata.get('reason')]).toEqual([
    status.INVALID_ARGUMENT,
    `The request is larger than ${maxKib} KiB`,
    'request-too-large',
  ]);
});

test('limits the streams of a connection', async () => {
  const server = await startAccepting(authService);
  const session = connect(`http://${server.address}`);
  closers.push(() => session.destroy());
  const [settings] = await once(session, 'remoteSettings');
  expect(settings).toMatchObject({ maxConcurrentStreams: 10_000 });
});

interface Event {
  readonly subject: string;
  decode(bytes: Uint8Array): unknown;
}
const events: readonly Event[] = [
  userChanged,
  jobEnded,
  settingsChanged,
  quotaChanged,
  entriesChanged,
  ...auditedDomains.map((domain) => audited(domain)),
];

test.each(events.map((event) => ({ ...event })))(
  '$subject: malformed bytes are an error, which parks the event; unknown fields of newer versions are ignored',
  (event) => {
    for (const bytes of unreadable) expect(() => event.decode(bytes)).toThrow();
    // Field 900 with a text.
    expect(event.decode(Uint8Array.from([0xa2, 0x38, 0x01, 0x78]))).toEqual(event.decode(new Uint8Array()));
  },
);
