// Connections whose peer is silent, as after the loss of a machine: clients detect this in a bounded time and work again over a new
// connection. The proxy keeps the silent connections open; new ones work.
import { authService } from '@husky/contracts/services';
import { openDatabase } from '@husky/runtime/database/postgres';
import { inTransaction } from '@husky/runtime/database/transaction';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { isTransient } from '@husky/runtime/process/retry';
import { anyone } from '@husky/runtime/rpc/access';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { testDatabase, testIdentities, testNats } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { afterEach, expect, test } from 'vitest';
import { LinkProxy } from './proxy.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function proxyTo(address: string): Promise<LinkProxy> {
  const proxy = await LinkProxy.listen();
  proxy.setTarget(address);
  closers.push(() => proxy.close());
  return proxy;
}

async function databaseBehindProxy(silenceMs: number) {
  const database = await testDatabase('auth');
  closers.push(() => database.drop());
  const url = new URL(database.url);
  const proxy = await proxyTo(url.host);
  url.host = proxy.address;
  const pool = openDatabase({ url: url.href, password: database.password, schema: 'auth', poolSize: 1, silenceMs });
  closers.push(() => pool.end());
  await pool.query('SELECT 1');
  return { proxy, pool };
}

async function authBehindProxy(getKeys: () => Promise<{ jwksJson?: string }>) {
  const auth = await startDouble(authService, anyone, { getKeys });
  closers.push(() => auth.stop());
  const proxy = await proxyTo(auth.address);
  const client = createRpcClient(authService, proxy.address, testIdentities().signerOf('simulation'));
  closers.push(() => client.close());
  return { client, proxy };
}

test('a query on a silent connection fails with a transient error, and the pool replaces the connection', async () => {
  const { proxy, pool } = await databaseBehindProxy(300);
  proxy.silenceConnections();
  const error = await pool.query('SELECT 1').catch((failure: unknown) => failure);
  expect(String(error)).toContain('PostgreSQL was silent');
  expect(isTransient(error)).toBe(true);
  expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
});

test('a transaction on a silent connection does not wait a second time for its rollback', async () => {
  const { proxy, pool } = await databaseBehindProxy(300);
  const failure = await inTransaction(pool, async (client) => {
    proxy.silenceConnections();
    await client.query('SELECT 1');
  }).catch((error: unknown) => error);
  expect(isTransient(failure)).toBe(true);
  expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
});

test('an idle connection and one with a slow query stay open', async () => {
  const { pool } = await databaseBehindProxy(1000);
  const { rows: before } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await pool.query(`SELECT pg_sleep(0.2) FROM generate_series(1, 3)`);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { rows: after } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  expect(after).toEqual(before);
});

test('a silent connection to NATS is replaced, with its subscriptions', async () => {
  const nats = await testNats('live-data');
  const proxy = await proxyTo(new URL(nats.url).host);
  const log = createLogger('test', 'silent');
  const listener = await connectNats({ ...nats, url: `nats://${proxy.address}`, pingMs: 100 }, log);
  closers.push(() => listener.close());
  const sender = await connectNats(nats, log);
  closers.push(() => sender.close());
  let signals = 0;
  listener.listen('live.match', () => {
    signals += 1;
  });
  await listener.connection.flush();
  proxy.silenceConnections();
  await expect
    .poll(
      () => {
        sender.broadcast('live.match', new Uint8Array());
        return signals;
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(0);
});

test('a call on a silent gRPC connection ends at its deadline, and after 5 s of silence calls get a new connection', async () => {
  const { client, proxy } = await authBehindProxy(async () => ({}));
  await client.getKeys({});
  proxy.silenceConnections();
  const call = () => client.getKeys({}, { timeoutMs: 300 });
  await expect(call()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  await expect.poll(() => call().catch(() => undefined), { timeout: 20_000 }).toMatchObject({ jwksJson: '' });
});

test('a slow gRPC server keeps its connection', async () => {
  let slowMs = 600;
  const { client, proxy } = await authBehindProxy(async () => {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    return {};
  });
  await expect(client.getKeys({}, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  slowMs = 0;
  await client.getKeys({});
  expect(proxy.connections).toBe(1);
});

test('calls in progress finish when the server closes their connection because of its age', {
  timeout: 40_000,
}, async () => {
  // Longer than the age of a connection, its variation and the time of a ping.
  const auth = await startDouble(authService, anyone, {
    getKeys: () => new Promise((resolve) => setTimeout(() => resolve({ jwksJson: 'late' }), 14_000)),
  });
  closers.push(() => auth.stop());
  const client = createRpcClient(authService, auth.address, testIdentities().signerOf('simulation'));
  closers.push(() => client.close());
  const calls = Array.from({ length: 8 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 1000));
    return client.getKeys({}, { timeoutMs: 30_000 });
  });
  expect((await Promise.all(calls)).map(({ jwksJson }) => jwksJson)).toEqual(Array(8).fill('late'));
});
