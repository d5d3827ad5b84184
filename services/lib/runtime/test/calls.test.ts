// Deadlines, cancellation and the limit on visitors' calls, over a real gRPC server.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { authService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/access';
import { outsideOfCall, withinCall } from '@husky/runtime/call-context';
import type { DomainError } from '@husky/runtime/errors';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a server whose answers wait for `release`, and a client of it. */
async function startWaiting() {
  const gate = Promise.withResolvers<void>();
  let started = 0;
  let cancelled = 0;
  const auth = await startDouble(authService, anyone, {
    async getKeys(_request, { signal }) {
      started += 1;
      signal.addEventListener('abort', () => {
        cancelled += 1;
      });
      await Promise.race([gate.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return { jwksJson: '{}' };
    },
  });
  const client = createRpcClient(authService, auth.address, testIdentities().signerOf('gateway'));
  const service = createRpcClient(authService, auth.address, testIdentities().signerOf('simulation'));
  onTestFinished(async () => {
    gate.resolve();
    client.close();
    service.close();
    await auth.stop();
  });
  const call = () => client.getKeys({}, { caller: { kind: 'anonymous' }, timeoutMs: 20_000 });
  const callAsService = () => service.getKeys({}, { timeoutMs: 20_000 });
  return { call, callAsService, release: () => gate.resolve(), started: () => started, cancelled: () => cancelled };
}

/** Starts a TCP relay to `address`, which drops what arrives on a connection from the moment on when `isSilent` was true. */
async function startRelay(address: string, isSilent: () => boolean) {
  const sockets: Socket[] = [];
  let connections = 0;
  const server = createServer((near) => {
    const far = connect(Number(address.split(':')[1]), '127.0.0.1');
    let dead = false;
    sockets.push(near, far);
    connections += 1;
    near.on('data', (bytes) => {
      dead ||= isSilent();
      if (!dead) far.write(bytes);
    });
    far.on('data', (bytes) => dead || near.write(bytes));
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a call ends with the deadline of the call in which it is made', async () => {
  const { call } = await startWaiting();
  const refused = await withinCall({ deadlineMs: Date.now() + 200 }, () => call().catch((error: unknown) => error));
  expect(refused).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
});

test('a slow server keeps its connection, a silent one is replaced', async () => {
  const auth = await startDouble(authService, anyone, {
    async getKeys(_request, { signal }) {
      if (slow) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { jwksJson: '{}' };
    },
  });
  let slow = true;
  let silent = false;
  const relay = await startRelay(auth.address, () => silent);
  const client = createRpcClient(authService, relay.address, testIdentities().signerOf('simulation'));
  onTestFinished(async () => {
    client.close();
    relay.close();
    await auth.stop();
  });
  const call = (timeoutMs: number) =>
    client.getKeys({}, { timeoutMs }).then(
      () => 'answered',
      (error: DomainError) => error.code,
    );
  expect(await call(300)).toBe('DEADLINE_EXCEEDED');
  slow = false;
  expect(await call(5000)).toBe('answered');
  expect(relay.connections()).toBe(1);

  silent = true;
  expect(await call(1000)).toBe('DEADLINE_EXCEEDED');
  expect(await call(4500)).toBe('DEADLINE_EXCEEDED');
  silent = false;
  expect(await call(5000)).toBe('answered');
  expect(relay.connections()).toBe(2);
}, 20_000);

test('a disconnected client cancels the calls of its request, and the service sees it', async () => {
  const { call, started, cancelled } = await startWaiting();
  const client = new AbortController();
  const calling = withinCall({ signal: client.signal }, () => call().catch((error: unknown) => error));
  await expect.poll(started, { timeout: 20_000 }).toBe(1);
  client.abort();
  expect(await calling).toMatchObject({ code: 'CANCELLED' });
  await expect.poll(cancelled, { timeout: 20_000 }).toBe(1);
});

test('work that several callers share, or that continues after its call, is not cancelled', async () => {
  const { call, started, release } = await startWaiting();
  const client = new AbortController();
  let shared: Promise<unknown> | undefined;
  let later: (() => Promise<unknown>) | undefined;
  await withinCall({ signal: client.signal, deadlineMs: Date.now() + 60_000 }, async () => {
    shared = outsideOfCall(() => call());
    later = () => call();
  });
  const afterwards = later?.();
  client.abort();
  await expect.poll(started, { timeout: 20_000 }).toBe(2);
  release();
  expect(await Promise.all([shared, afterwards])).toMatchObject([{ jwksJson: '{}' }, { jwksJson: '{}' }]);
});

test('a flood of visitors is refused with a time to retry, and services are still answered', async () => {
  const { call, callAsService, started, release } = await startWaiting();
  const visitors = Array.from({ length: 400 }, () => call().catch((error: unknown) => error));
  await expect.poll(started, { timeout: 20_000 }).toBe(64);
  const service = callAsService();
  await expect.poll(started, { timeout: 20_000 }).toBe(65);
  const early: unknown = await Promise.race(visitors);
  expect(early).toMatchObject({ code: 'UNAVAILABLE', reason: 'overloaded' });
  expect((early as { retryAfterS: number }).retryAfterS).toBeGreaterThanOrEqual(1);
  release();
  expect(await service).toMatchObject({ jwksJson: '{}' });
  const answers = await Promise.all(visitors);
  expect(answers.filter((answer) => !(answer instanceof Error)).length).toBeGreaterThanOrEqual(64);
});
