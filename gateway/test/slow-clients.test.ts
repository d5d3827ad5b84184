// Slow clients are disconnected after their time limit and do not delay other clients.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
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
