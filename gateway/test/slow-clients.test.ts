// Slow clients are disconnected after their time limit and do not delay other clients.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { freePort } from '@husky/platform/free-port';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { limitConnections, listen } from '../src/http/connections.ts';
import { dropSlowReader } from '../src/routes/live/shared-stream.ts';
import { startEdge } from './edge.ts';

const edge = await startEdge({}, { settings: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
afterAll(() => edge.stop());
const port = Number(new URL(edge.origin).port);

/** Sends `start`, then `part` every 50 ms until the server closes the connection. Returns everything received. */
function drip(start: string, part: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    const socket: Socket = connect(port, '127.0.0.1', () => {
      socket.write(start);
      timer = setInterval(() => {
        if (part !== '' && socket.writable) socket.write(part);
      }, 50);
    });
    socket.on('data', (data) => {
      text += data.toString('utf8');
    });
    // The server may close while a part is being sent.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(timer);
      resolve(text);
    });
  });
}

const post = 'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const form = 'POST /submission/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n';
const cutOff: [what: string, start: string, part: string][] = [
  ['headers that never end', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n', ''],
  ['headers sent letter by letter', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'a'],
  ['an endless sequence of headers', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n', 'X-More: 1\r\n'],
  ['half a request line', 'GET /heal', ''],
  ['a body that is never sent', `${post}Content-Length: 100\r\n\r\n`, ''],
  ['a body sent letter by letter', `${post}Content-Length: 100000\r\n\r\n{"username":"`, 'a'],
  ['a chunked body sent piece by piece', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
];
test.each(cutOff)('cuts off %s with 408', async (_what, start, part) => {
  expect(await drip(start, part)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"reason":"request-timeout"/);
});

test('closes a connection after an error, even if the client keeps its side open', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('utf8');
  });
  socket.on('error', () => undefined);
  socket.write('nothing of HTTP\r\n\r\n');
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  await vi.waitFor(async () => expect(await edge.connections()).toBe(0), { timeout: 10_000 });
  socket.destroy();
});

test('refuses a form without a session before its body arrives', async () => {
  expect(await drip(`${form}Content-Length: 100000\r\n\r\n--b\r\n`, 'a')).toMatch(/^HTTP\/1\.1 401 /);
});

test('closes an idle connection', async () => {
  expect(await drip('', '')).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test('serves other clients without delay beside 200 slow ones', async () => {
  let open = 200;
  const slow = Array.from({ length: open }, () =>
    drip(`${post}Content-Length: 100000\r\n\r\n{`, 'a').finally(() => open--),
  );
  const statuses: number[] = [];
  while (open > 0) statuses.push((await fetch(`http://127.0.0.1:${port}/healthz`)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 408 /);
});

test('refuses a body with a too large Content-Length before it is sent', async () => {
  expect(await drip(`${post}Content-Length: 300000\r\n\r\n`, '')).toMatch(/^HTTP\/1\.1 413 [\s\S]*body-too-large/);
});

const full = () => {
  const out = new PassThrough({ highWaterMark: 16 });
  out.write('more than sixteen bytes');
  expect(out.writableNeedDrain).toBe(true);
  return out;
};

test('drops a reader that reads nothing, with a marker as its last event', async () => {
  const out = full();
  const dropping = Promise.withResolvers<void>();
  const reader = dropSlowReader(out, () => dropping.resolve(), 50);
  await dropping.promise;
  expect(reader.dropped()).toBe(true);
  expect(String(out.read())).toMatch(/event: error[\s\S]*"reason":"slow-reader"/);
  reader.stop();
});

test('keeps a reader that reads', async () => {
  const out = full();
  const reader = dropSlowReader(out, () => undefined, 100);
  for (let at = 0; at < 10; at++) {
    out.resume();
    await new Promise((resolve) => out.once('drain', resolve));
    out.pause();
    out.write('more than sixteen bytes');
  }
  expect(reader.dropped()).toBe(false);
  reader.stop();
});

test('over a connection, a reader that pauses gets the marker after what it has missed, and its connection is closed', async () => {
  const out = new PassThrough();
  const dropping = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    out.pipe(response);
    // More than the buffers of the kernel hold.
    const more = setInterval(() => out.writableNeedDrain || out.write('x'.repeat(2 ** 20)), 5);
    const drop = () => {
      clearInterval(more);
      reader.stop();
      out.end();
      dropping.resolve();
    };
    const reader = dropSlowReader(out, drop, 200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let [bytes, last] = [0, ''];
  client.once('data', () => client.pause());
  await dropping.promise;
  client.on('data', (data) => {
    bytes += data.length;
    last = (last + data.toString('latin1')).slice(-1000);
  });
  client.resume();
  await once(client, 'end');
  expect(bytes).toBeGreaterThan(2 ** 20);
  expect(last).toMatch(/event: error[\s\S]*"reason":"slow-reader"/);
  await vi.waitFor(() => expect(out.closed).toBe(true), 10_000);
});

test('accepts many connections in one pass of the event loop', async () => {
  const server = createServer((_request, response) => response.end('served'));
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  const clients: Socket[] = Array.from({ length: 120 }, () => connect(port, '127.0.0.1'));
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await listening.close(0);
  });

  let passes = 0;
  while (accepted < clients.length && passes < 1000) {
    await nextPass();
    if (accepted > 0) passes += 1;
  }

  expect(accepted).toBe(clients.length);
  // With one listening socket it would take 120 passes.
  expect(passes).toBeLessThan(60);
});

test('responds on every socket, and closes when the last connection has ended', async () => {
  const server = createServer((_request, response) => response.end('served'));
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  for (let request = 0; request < 50; request += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    expect(await response.text()).toBe('served');
  }
  await listening.close(3000);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});

test('stops without cutting off a request, and ends event streams and kept connections', async () => {
  const received = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url === '/events')
      return void response.setHeader('Content-Type', 'text/event-stream').write('data: 1\n\n');
    request.resume().once('end', () => response.end('stored'));
    if (request.url === '/upload') received.resolve();
  });
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  const client = connect(port, '127.0.0.1');
  client.write('POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab');
  const events = await fetch(`http://127.0.0.1:${port}/events`);
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  await received.promise;
  const closing = listening.close(20_000);
  await expect(events.text()).rejects.toThrow();
  client.write('cd');
  const answer = await new Promise<string>((resolve) => client.once('data', (bytes) => resolve(bytes.toString())));
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\nConnection: close[\s\S]*stored$/);
  await closing;
});

test('refuses a port on which another process listens, with one socket or with several', async () => {
  const port = await freePort();
  const other = createTcpServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  await expect(listen(createServer(), '127.0.0.1', port)).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => other.close(resolve));

  const first = await listen(createServer(), '127.0.0.1', port);
  onTestFinished(() => first.close(0));
  await expect(listen(createServer(), '127.0.0.1', port)).rejects.toThrow('EADDRINUSE');
});

test('refuses connections beyond the limit, on all sockets together, and accepts again when some have ended', async () => {
  const server = createServer((_request, response) => response.end('answered'));
  limitConnections(server, 20);
  const port = await freePort();
  const listening = await listen(server, '127.0.0.1', port);
  const clients: Socket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await listening.close(0);
  });
  const open = async () => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    const closed = new Promise((resolve) => client.once('close', () => resolve('refused')));
    const text = new Promise((resolve) => client.once('data', (data) => resolve(data.toString())));
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return Promise.race([text, closed]);
  };
  for (let count = 0; count < 20; count++) expect(await open()).toMatch(/^HTTP\/1.1 200/);
  for (let count = 0; count < 40; count++) {
    const answer = await open();
    // The kernel may drop what was written before a connection is reset.
    if (answer !== 'refused') expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\nRetry-After: \d+\r\n/);
  }
  clients[0]?.destroy();
  await expect.poll(open, { timeout: 20_000 }).toMatch(/^HTTP\/1.1 200/);
});
