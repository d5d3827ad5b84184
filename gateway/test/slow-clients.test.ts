// Slow clients are disconnected after their time limit and do not delay other clients.
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../src/context.ts';
import { createGateway } from '../src/server.ts';

const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent, debug: silent, child: () => log };
const settings = {
  PUBLIC_URL: 'http://localhost',
  WEB_DIR: undefined,
  corsOrigins: [],
  TRUSTED_PROXIES: 0,
  SOURCE_URL: undefined,
  DATASET_URL: undefined,
  WIKI_URL: undefined,
  RATE_LIMIT_READS: 0,
  RATE_LIMIT_WRITES: 0,
  RATE_LIMIT_SIGN_INS: 0,
  RATE_LIMIT_UPLOADS: 0,
  RATE_LIMIT_ACCOUNT: 0,
  MAX_CONCURRENT_REQUESTS: 0,
  MAX_CONCURRENT_UPLOADS: 0,
  HTTP_HEADERS_TIMEOUT_MS: 300,
  HTTP_REQUEST_TIMEOUT_MS: 600,
};
const server = createGateway(settings, { log } as unknown as Context, { metricsText: async () => '' } as never);
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

/** Sends `start`, then `drip` every 50 ms until the server closes. Returns everything received. */
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
    socket.on('error', silent);
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
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('refuses a body whose Content-Length is too large before it is sent', async () => {
  expect(await drip(`${post}Content-Length: 300000\r\n\r\n`, '')).toMatch(/^HTTP\/1\.1 413 [\s\S]*body-too-large/);
});
