// What a client does when the connection is lost before a call is answered, as when a pod is killed.
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { authService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { withRequestKey } from '@husky/runtime/rpc/request-key';
import { testIdentities, testNats } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectNats } from '../src/messages/nats.ts';

const caller = { kind: 'anonymous' } as const;

interface Loss {
  refusal?: DomainError;
  silence?: boolean;
  /** Time from a lost connection until the proxy accepts new ones. */
  awayMs?: number;
}

/** Starts a service behind a proxy. The first `lost` calls cut all connections, or silence them, and get no response. */
async function startLosing(lost: number, { refusal, silence, awayMs = 0 }: Loss = {}) {
  const sockets = new Set<Socket>();
  let backAtMs = 0;
  let calls = 0;
  const answer = async <T>(response: T): Promise<T> => {
    calls += 1;
    if (calls > lost) {
      if (refusal) throw refusal;
      return response;
    }
    backAtMs = performance.now() + awayMs;
    for (const socket of sockets) silence ? socket.unpipe().pause() : socket.destroy();
    return new Promise(() => undefined);
  };
  const auth = await startDouble(authService, anyone, {
    getNames: () => answer({ names: [] }),
    getKeys: () => answer({ jwksJson: '{}' }),
    countUsers: async () => ({ userCount: 0, verifiedCount: 0 }),
    logout: () => answer({}),
  });
  const [host, port] = auth.address.split(':');
  const proxy = createServer((socket) => {
    if (performance.now() < backAtMs) return socket.destroy();
    const behind = open(Number(port), host);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).once('close', () => other.destroy());
      one.pipe(other);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = createRpcClient(authService, address, testIdentities().signerOf('gateway'));
  onTestFinished(async () => {
    client.close();
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await auth.stop();
  });
  return {
    client,
    calls: () => calls,
    /** Cuts all connections; new ones are accepted after `ms`. */
    cut(ms: number) {
      backAtMs = performance.now() + ms;
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a read is made once more when its connection is lost', async () => {
  const { client, calls } = await startLosing(1);
  expect(await client.getNames({ ids: [] }, { caller })).toEqual({ names: [] });
  expect(await client.getKeys({}, { caller })).toMatchObject({ jwksJson: '{}' });
  expect(calls()).toBe(3);
});

test('a read is made once more on a new connection when its connection is silent for 5 s; a write is not', async () => {
  const { client, calls } = await startLosing(1, { silence: true });
  expect(await client.getNames({ ids: [] }, { caller })).toEqual({ names: [] });
  expect(calls()).toBe(2);
  const writing = await startLosing(1, { silence: true });
  const write = writing.client.logout({ accessToken: '' }, { caller, timeoutMs: 7000 });
  await expect(write).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  expect(writing.calls()).toBe(1);
});

test('a read fails when its second connection is lost, too', async () => {
  const { client, calls } = await startLosing(2);
  await expect(client.getNames({ ids: [] }, { caller })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(calls()).toBe(2);
});

test('a call that changes something is repeated only with the key of a request', async () => {
  const { client, calls } = await startLosing(2);
  await expect(client.logout({ accessToken: '' }, { caller })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(calls()).toBe(1);
  const key = { key: 'k'.repeat(43), digest: 'd'.repeat(43) };
  const ann = { kind: 'user', id: 'ann', username: 'ann', admin: false, verified: true } as const;
  expect(await withRequestKey(key, () => client.logout({ accessToken: '' }, { caller: ann }))).toEqual({});
  expect(calls()).toBe(3);
});

test('calls wait for a service that is back soon after the loss of its connection, a call that changes something too', async () => {
  const { client, calls } = await startLosing(1, { awayMs: 700 });
  await client.countUsers({}, { caller });
  const lost = client.getNames({ ids: [] }, { caller });
  await vi.waitFor(() => expect(calls()).toBe(1), 10_000);
  expect(await client.logout({ accessToken: '' }, { caller })).toEqual({});
  expect(await lost).toEqual({ names: [] });
  expect(calls()).toBe(3);
});

test('a call waits for a service that is back soon, also when the last call was long before the loss', async () => {
  const { client, cut } = await startLosing(0);
  await client.countUsers({}, { caller });
  await pause(2500);
  cut(600);
  await pause(300);
  expect(await client.logout({ accessToken: '' }, { caller })).toEqual({});
});

test('calls fail at once when a service has been away for longer', async () => {
  const { client } = await startLosing(1, { awayMs: 60_000 });
  await client.countUsers({}, { caller });
  await expect(client.getNames({ ids: [] }, { caller })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  // A call that waits would reach its deadline.
  await expect(client.getKeys({}, { caller, timeoutMs: 1500 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('what the service itself refuses is not repeated', async () => {
  const { client, calls } = await startLosing(0, { refusal: new DomainError('UNAVAILABLE', 'busy', 'Later') });
  await expect(client.getNames({ ids: [] }, { caller })).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'busy' });
  expect(calls()).toBe(1);
});

const subject = 'gateway.watchers';

test('logs the subject when a handler of broadcasts throws, and goes on listening', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const nats = await connectNats(await testNats('gateway'), log);
  onTestFinished(() => nats.close());
  const received: string[] = [];
  nats.listen(subject, (payload) => {
    const text = Buffer.from(payload).toString('utf8');
    if (text === 'broken') throw new Error('cannot be decoded');
    received.push(text);
  });
  for (const text of ['first', 'broken', 'next']) nats.broadcast(subject, Buffer.from(text));
  await expect.poll(() => received).toEqual(['first', 'next']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, subject, msg: `${subject} could not be handled: cannot be decoded` },
  ]);
});
