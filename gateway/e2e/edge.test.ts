// Malformed and unusual requests, which the web app never sends.
import { connect } from 'node:net';
import { expect, inject, test } from 'vitest';
import * as client from './client.ts';

/** Sends raw bytes. Returns the response when the server closes the connection, or after `waitMs`. */
function raw(bytes: string, waitMs = 5000): Promise<string> {
  const { hostname, port } = new URL(inject('platform').origin);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(end, waitMs);
    socket.on('data', (part) => {
      text += part.toString('utf8');
    });
    socket.once('close', end).once('error', reject);
  });
}

const rawGet = (path: string, headers = '') =>
  raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);

const unusual: [string, number][] = [
  ['/%', 404],
  ['/profile/%E0%A4%A', 404],
  ['/profile/%00', 404],
  ['/profile/%ff%fe', 404],
  ['/profile/..%2f..%2fetc%2fpasswd', 404],
  ['/live/game/%00', 404],
  ['/live/game/not-an-id', 404],
  ['/live/job/123/games', 404],
  ["/live/job/'%20OR%201=1--/games", 404],
  ['/sim/status/%F0%9F%83%8F', 404],
  ['/leaderboard/top/1e3', 422],
  ['/leaderboard/top/99999999999999999999', 422],
  ['/leaderboard/top/5?tag=%00', 422],
  ['/leaderboard/top/5?tag=a&tag=b', 422],
  ['/live/public-job-ids/paginated?page=1&page=2', 422],
  ['/live/public-job-ids/paginated?page=%00', 422],
  ['/healthz/', 404],
  ['//healthz', 404],
  ['/HEALTHZ', 404],
  [`/profile/${'a'.repeat(190)}`, 404],
  [`/profile/${'%F0%9F%83%8F'.repeat(90)}`, 404],
  [`/no/${'a'.repeat(5000)}`, 404],
  [`/profile/${'a'.repeat(9000)}`, 414],
  ['/leaderboard/top/5?__proto__[x]=1&constructor=2', 200],
];
test.each(unusual.map(([path, status]) => ({ path, status, shown: path.slice(0, 60) })))(
  'GET $shown returns $status without a stack trace',
  async ({ path, status }) => {
    const response = await rawGet(path, 'Accept: application/json\r\n');
    expect(response.split('\r\n')[0]).toContain(` ${status} `);
    expect(response).not.toMatch(/node:internal|\.ts:\d+|\bat .+\(/);
  },
);

test('refuses malformed HTTP and too large headers with the usual error body', async () => {
  expect(await raw('HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"reason":"bad-request"/);
  expect(await rawGet('/healthz', `X-Long: ${'x'.repeat(20_000)}\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  const both =
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  expect(await raw(both)).toMatch(/^HTTP\/1\.1 400 /);
});

test('responds to HEAD like GET without a body, and does not redeem links', async () => {
  for (const path of ['/healthz', '/live/public-job-ids', '/openapi.json', '/docs', '/docs/swagger-ui.css']) {
    const response = await client.call('HEAD', path);
    expect([response.status, response.body], path).toEqual([200, '']);
  }
  expect((await client.call('HEAD', '/no/such/path')).status).toBe(404);
  expect((await client.call('HEAD', '/auth/login')).status).toBe(405);
});

test('lists the allowed methods for OPTIONS and permits no other origin', async () => {
  const own = await client.call('OPTIONS', '/sim/status/all');
  expect([own.status, own.headers.get('allow')]).toEqual([204, 'GET, HEAD']);
  const headers = { origin: 'https://evil.invalid', 'access-control-request-method': 'POST' };
  expect(
    (await client.call('OPTIONS', '/auth/login', { headers })).headers.get('access-control-allow-origin'),
  ).toBeNull();
  // A literal path takes precedence over a path with a parameter.
  const wrong = await client.call('DELETE', '/submission/list');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

async function postText(path: string, text: string, token?: string, type = 'application/json') {
  const response = await fetch(`${inject('platform').origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: text,
  });
  return { status: response.status, body: (await response.json()) as { detail: string; reason: string } };
}

test('refuses JSON that cannot be stored with a client error and a one-sentence reason', async () => {
  const { token } = await client.registerVerified();
  const admin = await client.adminToken();
  const metadata = `/llm/batch/00000000-0000-4000-8000-000000000000/metadata`;
  const bodies: [string, string, number, string?][] = [
    ['/user/update', '{"name":"a\\u0000b"}', 422],
    ['/user/update', '{"about":"\\ud800"}', 422],
    ['/user/update', '{"__proto__":{"name":"x"}}', 422],
    ['/user/update', '{"nmae":"x"}', 422],
    [metadata, '{"a":{"constructor":1}}', 422, admin],
    ['/user/update', '{"name":1e999}', 422],
    ['/user/update', '[]', 422],
    ['/user/update', 'null', 422],
    ['/user/update', '{"name":', 422],
    ['/user/update', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 422],
    ['/auth/login', '{"username":"a\\u0000","password":"x"}', 422],
    [metadata, '{"a":"\\u0000"}', 422, admin],
    [metadata, '{"\\u0000":1}', 422, admin],
    [metadata, '{"\\udfff":1}', 422, admin],
    [metadata, '{"a":1e999}', 422, admin],
    [metadata, `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, 422, admin],
    ['/sim/async_run_user', '{"users_list":["a","b","c","d","e","f"],"num_rounds":1e308}', 422, admin],
  ];
  for (const [path, text, status, as] of bodies) {
    const response = await postText(path, text, as ?? token);
    expect(response.status, `${path} ${text.slice(0, 60)}: ${JSON.stringify(response.body)}`).toBe(status);
  }
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
  expect(client.expectStatus(await client.get('/auth/whoami', token), 200).admin).toBe(false);
});

test('refuses a form that is cut off within a file, and keeps running', async () => {
  const { token } = await client.registerVerified();
  const part = 'Content-Disposition: form-data; name="playerFile"; filename="player.py"\r\n\r\n';
  const body = `--b\r\n${part}${client.botFiles('calling-station').player}`;
  const response = await fetch(`${inject('platform').origin}/submission/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    body,
  });
  expect(response.status).toBe(422);
  const cut = `POST /submission/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n`;
  await raw(cut + body, 300);
  expect((await client.get('/healthz')).status).toBe(200);
});

test('refuses a chunked body as soon as it exceeds the size limit', async () => {
  const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const head =
    'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  expect(await raw(head + chunk.repeat(6))).toMatch(/^HTTP\/1\.1 413 [\s\S]*body-too-large/);
});

test('sets rate-limit and request-id headers on every response, and no cookie with a token', async () => {
  const response = await client.get('/live/public-job-ids');
  expect(response.headers.get('ratelimit-policy')).toMatch(/^"reads";q=\d+;w=10$/);
  expect(response.headers.get('ratelimit')).toMatch(/^"reads";r=\d+;t=\d+$/);
  expect(response.headers.get('x-request-id')).toMatch(/\S/);
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
  const { username, password } = await client.register(client.uniqueName('cookie'));
  const login = await client.post('/auth/login', { username, password });
  const [token = ''] = /(?<="access_token":")[^"]+/.exec(JSON.stringify(login.body)) ?? [];
  expect(login.headers.getSetCookie().filter((cookie) => !cookie.startsWith('husky_device='))).toEqual([]);
  expect(token.length).toBeGreaterThan(20);
  expect(login.headers.get('set-cookie')).not.toContain(token);
});
