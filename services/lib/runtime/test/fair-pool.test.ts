// Shares of visitors and the platform in a service's connections, and calls that are over, on a real PostgreSQL.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { authService } from '@husky/contracts/services';
import { type TestDatabase, testDatabase, testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/postgres.ts';
import { sql } from '../src/database/sql.ts';
import { anyone } from '../src/rpc/access.ts';
import { withinCall } from '../src/rpc/call-context.ts';
import { createRpcClient } from '../src/rpc/grpc-client.ts';
import { withParty } from '../src/rpc/party.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase('auth');
});

afterAll(() => database?.drop());

function openPool(poolSize: number): pg.Pool {
  const { url, password } = database;
  const pool = openDatabase({ url, password, schema: 'auth', poolSize });
  onTestFinished(() => pool.end());
  return pool;
}

const caught = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/** Makes statements of `blocked` wait until the returned function is called. */
async function holdLock(): Promise<{ readonly statement: string; release(): Promise<void> }> {
  const key = Math.floor(1e9 * Math.random());
  const client = await database.admin.connect();
  await client.query(sql`SELECT pg_advisory_lock(${key})`);
  let held = true;
  const release = async () => {
    if (held) client.release(true);
    held = false;
  };
  onTestFinished(release);
  return { statement: `SELECT pg_advisory_xact_lock_shared(${key})`, release };
}

/** Number of running statements of the pools of this file that contain `text`. */
async function running(text: string): Promise<number> {
  const { rows } = await database.admin.query(
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
       AND position(${text} IN query) > 0`,
  );
  return rows.length;
}

test('visitors never have all connections, and wait in a queue of their own', async () => {
  const pool = openPool(4);
  const lock = await holdLock();
  const visitors = Array.from({ length: 10 }, () => withinCall({ visitor: true }, () => pool.query(lock.statement)));
  await expect.poll(() => running(lock.statement), { timeout: 20_000 }).toBe(2);
  expect(pool.waitingCount).toBe(8);
  const { rows } = await withinCall({}, () => pool.query('SELECT 1 AS one'));
  expect(rows).toEqual([{ one: 1 }]);
  await lock.release();
  await Promise.all(visitors);
  expect(pool.waitingCount).toBe(0);
});

test.each([1, 2, 3])(
  'visitors may use a pool of %i connections whole enough for a lock and a statement',
  async (size) => {
    const pool = openPool(size);
    await withinCall({ visitor: true }, async () => {
      const clients = await Promise.all(Array.from({ length: Math.min(size, 2) }, () => pool.connect()));
      for (const client of clients) client.release();
    });
  },
);

/** Runs a visitor's work for an account of an address. */
const visit = <T>(account: string, address: string, work: () => Promise<T>) =>
  withParty({ account, address }, () => withinCall({ visitor: true }, work));

test.each<[string, (index: number) => [string, string], number]>([
  ['one account', (index) => ['mallory', `address ${index}`], 3],
  ['20 accounts of one address', (index) => [`mallory ${index}`, 'one'], 4],
  ['the anonymous callers of one address', () => ['', 'one'], 4],
])('%s never has all connections of visitors', async (_who, caller, most) => {
  const pool = openPool(8);
  const lock = await holdLock();
  const held = Array.from({ length: 20 }, (_, index) => visit(...caller(index), () => pool.query(lock.statement)));
  await expect.poll(() => running(lock.statement), { timeout: 20_000 }).toBe(most);
  const { rows } = await visit('alice', 'another', () => pool.query('SELECT 1 AS one'));
  expect(rows).toEqual([{ one: 1 }]);
  await lock.release();
  await Promise.all(held);
});

test('work that holds a connection gets a second one beyond the share of its account', async () => {
  const pool = openPool(8);
  const both = Promise.withResolvers<void>();
  let first = 0;
  const work = async () => {
    const client = await pool.connect();
    first += 1;
    if (first === 3) both.resolve();
    await both.promise;
    await pool.query('SELECT 1');
    client.release();
  };
  await Promise.all(Array.from({ length: 3 }, () => visit('alice', 'one', work)));
  expect(pool.waitingCount).toBe(0);
});

test('gives up waiting for a connection at the deadline of the call, and when its caller leaves', async () => {
  const pool = openPool(1);
  const client = await pool.connect();
  const late = withinCall({ deadlineMs: Date.now() + 100 }, () => pool.query('SELECT 1'));
  expect(await caught(late)).toMatchObject({
    code: '57014',
    message: 'no connection to the database: the call is over',
  });
  const abort = new AbortController();
  const left = withinCall({ signal: abort.signal }, () => pool.query('SELECT 1'));
  abort.abort();
  expect(await caught(left)).toMatchObject({ code: '57014' });
  expect(pool.waitingCount).toBe(0);
  client.release();
  const afterwards = withinCall({ signal: abort.signal }, () => pool.query('SELECT 1'));
  expect(await caught(afterwards), 'also when one is free').toMatchObject({ code: '57014' });
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

const backend = async (pool: pg.Pool) => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number;

test('cancels the statement of a read whose caller leaves, and no later one, and keeps its connection', async () => {
  const pool = openPool(1);
  const statement = 'SELECT pg_sleep(60)';
  const before = await backend(pool);
  for (let count = 0; count < 5; count++) {
    const abort = new AbortController();
    const reading = withinCall({ signal: abort.signal }, () => pool.query(statement));
    const error = caught(reading);
    await expect.poll(() => running(statement), { timeout: 20_000 }).toBe(1);
    abort.abort();
    expect(await error).toMatchObject({ code: '57014' });
    // PostgreSQL reports the error before it ends the statement.
    await expect.poll(() => running(statement), { timeout: 20_000 }).toBe(0);
    for (let later = 0; later < 20; later++) await pool.query('SELECT 1');
  }
  expect(await backend(pool)).toBe(before);
});

test('closes a connection that was in a transaction when its statement was cancelled', async () => {
  const pool = openPool(1);
  const before = await backend(pool);
  const client = await pool.connect();
  await client.query("BEGIN; SET LOCAL statement_timeout = '50ms'");
  const error = await caught(client.query('SELECT pg_sleep(60)'));
  expect(error).toMatchObject({ code: '57014' });
  client.release(error as Error);
  expect(await backend(pool)).not.toBe(before);
});

test('closes a connection whose cancellation may still arrive', async () => {
  const { url, password } = database;
  const { hostname, port } = new URL(url);
  let accepted = 0;
  // Resets the second connection, that of the cancellation.
  const proxy = createServer((socket) => {
    accepted += 1;
    if (accepted === 2) return void socket.resetAndDestroy();
    const upstream = connect(Number(port), hostname);
    for (const one of [socket, upstream]) one.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const pool = openDatabase({ url: proxied.href, password, schema: 'auth', poolSize: 1 });
  onTestFinished(() => pool.end());
  const before = await backend(pool);
  const abort = new AbortController();
  const reading = withinCall({ signal: abort.signal }, () => pool.query('SELECT pg_sleep(0.5) AS slept'));
  await expect.poll(() => running('pg_sleep(0.5)'), { timeout: 20_000, interval: 20 }).toBe(1);
  abort.abort();
  expect((await reading).rows).toEqual([{ slept: '' }]);
  expect(await backend(pool)).not.toBe(before);
});

/** Starts a service over a pool of `poolSize`: countUsers is a read, register a write; both run `statement`. */
async function startService(poolSize: number, statement: string) {
  const pool = openPool(poolSize);
  const cancelled: string[] = [];
  const run = async (what: string) => {
    await pool.query(statement).catch((error: unknown) => {
      cancelled.push(what);
      throw error;
    });
    return {};
  };
  const service = await startDouble(authService, anyone, {
    countUsers: (_request, { caller }) =>
      caller.kind === 'service' ? pool.query('SELECT 1').then(() => ({})) : run('read'),
    register: () => run('write'),
  });
  const visitor = createRpcClient(authService, service.address, testIdentities().signerOf('gateway'));
  const platform = createRpcClient(authService, service.address, testIdentities().signerOf('simulation'));
  onTestFinished(async () => {
    visitor.close();
    platform.close();
    await service.stop();
  });
  return { visitor, platform, cancelled };
}

const asVisitor = { caller: { kind: 'anonymous' }, timeoutMs: 30_000 } as const;

test('a service is answered beside 400 slow calls of visitors', async () => {
  const lock = await holdLock();
  const { visitor, platform } = await startService(8, lock.statement);
  const slow = Array.from({ length: 400 }, () => caught(visitor.countUsers({}, asVisitor)));
  await expect.poll(() => running(lock.statement), { timeout: 20_000 }).toBe(6);
  expect(await platform.countUsers({})).toBeTruthy();
  expect(await running(lock.statement)).toBe(6);
  await lock.release();
  await Promise.all(slow);
});

test('a client that leaves ends the statement of its read; a write is finished', async () => {
  const lock = await holdLock();
  const { visitor, cancelled } = await startService(4, lock.statement);
  const abort = new AbortController();
  const options = { ...asVisitor, signal: abort.signal };
  const calls = [caught(visitor.countUsers({}, options)), caught(visitor.register({}, options))];
  await expect.poll(() => running(lock.statement), { timeout: 20_000 }).toBe(2);
  abort.abort();
  expect(await Promise.all(calls)).toMatchObject([{ code: 'CANCELLED' }, { code: 'CANCELLED' }]);
  await expect.poll(() => running(lock.statement), { timeout: 20_000 }).toBe(1);
  expect(cancelled).toEqual(['read']);
  await lock.release();
  await expect.poll(() => running(lock.statement), { timeout: 20_000 }).toBe(0);
  expect(cancelled).toEqual(['read']);
});

test('a statement that reaches its time limit is no internal error', async () => {
  const { visitor } = await startService(1, "SET statement_timeout = '50ms'; SELECT pg_sleep(30)");
  expect(await caught(visitor.countUsers({}, asVisitor))).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
});
