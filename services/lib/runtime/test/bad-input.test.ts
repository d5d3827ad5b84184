// Malformed and oversized requests to every call of every contract, and malformed events.
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  audited,
  auditedDomains,
  entriesChanged,
  jobEnded,
  matchEvent,
  quotaChanged,
  settingsChanged,
  userChanged,
} from '@husky/contracts/events';
import {
  authService,
  leaderboardService,
  liveDataService,
  poolService,
  type ServiceContract,
  simulationService,
  submissionService,
} from '@husky/contracts/services';
import { testIdentities } from '@husky/testkit/servers';
import { type ServiceDouble, startDouble } from '@husky/testkit/service-double';
import { afterEach, expect, test } from 'vitest';
import { anyone } from '../src/access.ts';

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

test('refuses a message above 16 MiB with a sentence and serves the next one', async () => {
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

test('does not read a malformed request before the identity', async () => {
  const server = await startDouble(authService, anyone, {});
  closers.push(() => server.stop());
  const path = authService.client.service.GetKeys?.path ?? '';
  const { code } = await sendBytes(server, path, Buffer.from([0xff]), 'forged');
  expect(code).toBe(status.UNAUTHENTICATED);
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
  matchEvent,
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
