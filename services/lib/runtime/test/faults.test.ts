// Faults that `make chaos` found: each ended a process or lost data.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net';
import { join } from 'node:path';
import { userChanged } from '@husky/contracts/events';
import { freePort } from '@husky/platform/free-port';
import { type NatsServer, startNats } from '@husky/platform/nats-server';
import { natsUsers } from '@husky/platform/nats-users';
import { testDatabase } from '@husky/testkit/servers';
import { afterEach, expect, inject, test } from 'vitest';
import { openDatabase } from '../src/database/postgres.ts';
import { sql } from '../src/database/sql.ts';
import { connectNats } from '../src/messages/nats.ts';
import { emit, startOutboxRelay } from '../src/messages/outbox.ts';
import { createLogger } from '../src/process/logger.ts';
import { isTransient } from '../src/process/retry.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('keeps running when PostgreSQL ends a connection that is in use, and reports the query as transient', async () => {
  const database = await testDatabase('auth');
  closers.push(() => database.drop());
  const pool = openDatabase({ url: database.url, password: database.password, schema: 'auth', poolSize: 2 });
  closers.push(() => pool.end());
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  await database.admin.query(sql`SELECT pg_terminate_backend(${rows[0]?.pid})`);
  // Between two queries of a transaction nobody waits for an error: without a listener it would end this process.
  await ended;
  const error = await client.query('SELECT 1').catch((failure: unknown) => failure);
  expect(isTransient(error)).toBe(true);
  client.release(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('gives up on a PostgreSQL that accepts a connection and says nothing, and reports it as transient', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const pool = openDatabase({
    url: `postgresql://auth@127.0.0.1:${port}/husky`,
    password: '-',
    schema: 'auth',
    poolSize: 1,
    connectMs: 300,
  });
  closers.push(() => pool.end());
  const error = await pool.query('SELECT 1').catch((failure: unknown) => failure);
  expect(isTransient(error)).toBe(true);
});

test('gives up on an address that answers no packet, as that of a deleted pod, and reports it as transient', async () => {
  // With a full queue Linux drops the packets of further connections.
  const program =
    'import socket, time; s = socket.create_server(("127.0.0.1", 0), backlog=0); print(s.getsockname()[1], flush=True); time.sleep(600)';
  const full = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  closers.push(async () => full.kill());
  const [line] = await once(full.stdout, 'data');
  const port = Number(line);
  const waiting = open(port, '127.0.0.1');
  closers.push(async () => waiting.destroy());
  await once(waiting, 'connect');
  const settings = { url: `postgresql://auth@127.0.0.1:${port}/husky`, password: '-', schema: 'auth', poolSize: 1 };
  const pool = openDatabase({ ...settings, acceptMs: 100, connectMs: 600_000 });
  closers.push(() => pool.end());
  const error = await pool.query('SELECT 1').catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'ETIMEDOUT' });
  expect(isTransient(error)).toBe(true);
});

test('publishes events again that NATS has lost with its disk, each once, and later ones', async () => {
  const dataDir = join(inject('husky').folder, `nats-lost-${process.pid}`);
  const passwords = Object.fromEntries(Object.keys(natsUsers).map((user) => [user, user]));
  const program = join(import.meta.dirname, '../../../../.tools/python/bin/nats-server');
  const port = await freePort();
  const start = () => startNats({ program, dataDir, port, passwords });
  let server: NatsServer = await start();
  closers.push(() => server.stop());
  const database = await testDatabase('auth');
  closers.push(() => database.drop());
  const log = createLogger('test', 'silent');
  const settings = (user: string) => ({ url: server.url, user, password: user });
  const owner = await connectNats(settings('auth'), log, 'auth');
  const reader = await connectNats(settings('submission'), log, 'submission');
  closers.push(async () => void (await Promise.all([owner.close(), reader.close()])));
  const relay = startOutboxRelay(database.admin, owner, log);
  closers.push(() => relay.stop());
  const publish = async (userId: string) => {
    await emit(database.admin, userChanged, { userId });
    relay.kick();
  };
  const published = async () => (await database.admin.query('SELECT 1 FROM outbox')).rows.length === 0;

  // Nobody has consumed it when the disk is lost.
  await publish('before');
  await expect.poll(published).toBe(true);
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  rmSync(join(dataDir, 'jetstream'), { recursive: true });
  server = await start();
  const received: string[] = [];
  const consumer = reader.consume(userChanged, 'submission_user_changed', async ({ userId }) => {
    received.push(userId);
  });
  closers.push(() => consumer.stop());
  await expect.poll(() => received, { timeout: 30_000 }).toEqual(['before']);
  await publish('after');
  await expect.poll(() => received, { timeout: 30_000 }).toEqual(['before', 'after']);
}, 90_000);

test('connects to NATS again after answers of an authentication timeout, which an overloaded server gives', async () => {
  const dataDir = join(inject('husky').folder, `nats-slow-${process.pid}`);
  const passwords = Object.fromEntries(Object.keys(natsUsers).map((user) => [user, user]));
  const program = join(import.meta.dirname, '../../../../.tools/python/bin/nats-server');
  const server = await startNats({ program, dataDir, port: await freePort(), passwords });
  closers.push(() => server.stop());
  const sockets = new Set<Socket>();
  let refusals = 0;
  const proxy = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (refusals > 0) {
      refusals -= 1;
      socket.write('INFO {"server_id":"a","version":"2.12.2","proto":1,"max_payload":1048576}\r\n');
      socket.once('data', () => socket.end("-ERR 'Authentication Timeout'\r\n"));
      return;
    }
    const behind = open(Number(new URL(server.url).port), '127.0.0.1');
    behind.on('error', () => undefined).once('close', () => socket.destroy());
    socket.once('close', () => behind.destroy());
    socket.pipe(behind).pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const nats = await connectNats({ url, user: 'auth', password: 'auth' }, createLogger('test', 'silent'), 'auth');
  closers.push(() => nats.close());
  refusals = 3;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => refusals, { timeout: 20_000 }).toBe(0);
  const roundTrip = () =>
    nats.connection.flush().then(
      () => 'connected',
      (error: unknown) => String(error),
    );
  await expect.poll(roundTrip, { timeout: 20_000 }).toBe('connected');
}, 90_000);

test('reports the cause when a program cannot be started because no file descriptor is free', () => {
  const module = join(import.meta.dirname, '../src/process/supervised-process.ts');
  const script = `
    import { openSync, closeSync } from 'node:fs';
    import { SupervisedProcess } from ${JSON.stringify(module)};
    const program = { command: '/bin/cat', args: [], cwd: '/', env: {} };
    const lost = new Promise((resolve) => {
      globalThis.supervised = new SupervisedProcess({ label: 'cat', program, onLine: () => {}, onLoss: resolve });
    });
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    supervised.start();
    for (const file of open) closeSync(file);
    const cause = await lost;
    await supervised.stop(1000);
    process.stdout.write(cause);`;
  const command = 'ulimit -n 64 && exec "$0" --input-type=module-typescript --eval "$1"';
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
  expect(stdout, stderr).toMatch(/EMFILE|ENFILE/);
});
