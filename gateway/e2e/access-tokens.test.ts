// Access tokens of programs at the edge: which calls accept them, which never do, and how they end.
import { beforeAll, expect, test, vi } from 'vitest';
import * as client from './client.ts';

interface Operation {
  readonly 'x-access': string;
  readonly 'x-token-scope'?: 'read' | 'submit' | 'any';
  readonly requestBody?: object;
}

async function makeToken(session: string, scopes: readonly string[] = ['read', 'submit']): Promise<client.Body> {
  return client.expectStatus(
    await client.post('/auth/tokens', { name: scopes.join(), scopes, expires_in_days: 7 }, session),
    201,
  );
}

let operations: { method: string; path: string; operation: Operation }[];
let user: { username: string; token: string };
let secret: string;

beforeAll(async () => {
  const { paths } = client.expectStatus(await client.get('/openapi.json'), 200) as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  user = await client.registerVerified(client.uniqueName('program'));
  secret = (await makeToken(user.token)).secret;
});

function send({ method, path, operation }: (typeof operations)[number], token: string) {
  const filled = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
  return client.call(method, filled, { token, ...(operation.requestBody === undefined ? {} : { json: {} }) });
}

test('calls without a scope refuse every token, also the token of an admin', async () => {
  const admin = await makeToken(await client.adminToken());
  const closed = operations.filter(
    ({ operation }) => !operation['x-token-scope'] && operation['x-access'] !== 'anyone',
  );
  expect(closed.length).toBeGreaterThan(50);
  for (const one of closed) {
    const { status, body } = await send(one, admin.secret);
    expect([status, body.reason], `${one.method} ${one.path}`).toEqual([403, 'needs-session']);
  }
  client.expectStatus(await client.remove(`/auth/tokens/${admin.id}`, await client.adminToken()), 200);
});

test('a call without the scope it needs is refused with the name of the scope', async () => {
  for (const [scope, other] of [
    ['read', 'submit'],
    ['submit', 'read'],
  ] as const) {
    const token = await makeToken(user.token, [other]);
    const needing = operations.filter(({ operation }) => operation['x-token-scope'] === scope);
    expect(needing.length).toBeGreaterThan(3);
    for (const one of needing) {
      const { status, body } = await send(one, token.secret);
      expect([status, body.reason], `${one.method} ${one.path}`).toEqual([403, 'missing-scope']);
      expect(body.detail).toContain(`'${scope}'`);
    }
    expect(client.expectStatus(await client.get('/auth/whoami', token.secret), 200).access_token.scopes).toEqual([
      other,
    ]);
  }
});

test('uploads, marks, runs and reads with a token, as with a session', async () => {
  const { player, requirements } = client.botFiles('calling-station');
  const form = client.uploadForm(client.submissionFields, player, requirements);
  const { submission_id } = client.expectStatus(
    await client.call('POST', '/submission/upload', { form, token: secret }),
    200,
  );
  client.expectStatus(await client.post('/submission/mark_final', { submission_id }, secret), 200);
  client.expectStatus(await client.post('/submission/unmark_final', { submission_id }, secret), 200);
  const run = { form: client.uploadForm(client.testRunFields, player), token: secret };
  const { job_id } = client.expectStatus(await client.call('POST', '/sim/async_run', run), 200);
  expect((await client.ended(job_id, secret)).job_status).toBe('Finished');
  const jobs = client.expectStatus(await client.get('/sim/status/all', secret), 200) as client.Body[];
  expect(jobs.map((job) => job.job_id)).toContain(job_id);
  for (const path of ['download', `log/${user.username}`, `bots/${user.username}`, 'games']) {
    // live-data receives the end of a match by an event, so it may be late.
    await expect
      .poll(async () => (await client.get(`/live/job/${job_id}/${path}`, secret)).status, { message: path })
      .toBe(200);
  }
  const stranger = await makeToken((await client.registerVerified(client.uniqueName('stranger'))).token);
  for (const path of ['download', `log/${user.username}`, 'games']) {
    client.expectStatus(await client.get(`/live/job/${job_id}/${path}`, stranger.secret), 403);
  }
  const { tokens } = client.expectStatus(await client.get('/auth/tokens', user.token), 200);
  expect(tokens.find(({ name }: client.Body) => name === 'read,submit').last_used_at).not.toBeNull();
  expect(JSON.stringify(tokens)).not.toContain(secret);
});

test('a token is accepted only in the header', async () => {
  for (const query of [`access_token=${secret}`, `token=${secret}`]) {
    client.expectStatus(await client.get(`/sim/status/all?${query}`), 401);
  }
  client.expectStatus(await client.call('GET', '/sim/status/all', { headers: { cookie: `token=${secret}` } }), 401);
  client.expectStatus(
    await client.call('GET', '/sim/status/all', { headers: { authorization: `Basic ${btoa(`x:${secret}`)}` } }),
    401,
  );
});

test('refuses a tampered token on every call, also on calls for anyone', async () => {
  const tampered = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
  for (const path of ['/sim/status/all', '/leaderboard/top/5', '/auth/whoami']) {
    const { status, body, headers } = await client.get(path, tampered);
    expect([status, body.reason], path).toEqual([401, 'token-unknown']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await client.get('/leaderboard/top/5', secret)).status).toBe(200);
});

test('a revoked token stops working at once, and its open streams end', async () => {
  const { id, secret: own } = await makeToken(user.token);
  const other = await client.registerVerified(client.uniqueName('revoker'));
  client.expectStatus(await client.remove(`/auth/tokens/${id}`, other.token), 404);
  const run = { form: client.uploadForm(client.testRunFields, client.botFiles('calling-station').player), token: own };
  const { job_id } = client.expectStatus(await client.call('POST', '/sim/async_run', run), 200);
  const open = await fetch(`${client.platform().origin}/live/job/${job_id}/events`, {
    headers: { authorization: `Bearer ${own}`, accept: 'text/event-stream' },
    signal: AbortSignal.timeout(60_000),
  });
  expect(open.status).toBe(200);
  client.expectStatus(await client.remove(`/auth/tokens/${id}`, user.token), 200);
  const { status, body } = await client.get('/sim/status/all', own);
  expect([status, body.reason, body.detail]).toEqual([
    401,
    'token-revoked',
    'This access token has been revoked: make a new one on your account page',
  ]);
  await open.text();
  expect((await client.ended(job_id, user.token)).job_status).toBe('Finished');
});

test("a new password revokes tokens; a deleted user's token is unknown; an unverified user's reaches nothing verified", async () => {
  const { username, token, password } = await client.registerVerified(client.uniqueName('ends'));
  const first = await makeToken(token);
  const change = { current_password: password, new_password: 'another long passphrase' };
  const { access_token } = client.expectStatus(await client.post('/auth/change-password', change, token), 200);
  await vi.waitFor(
    async () => expect((await client.get('/auth/whoami', first.secret)).body.reason).toBe('token-revoked'),
    10_000,
  );

  const second = await makeToken(access_token);
  const admin = await client.adminToken();
  client.expectStatus(await client.post(`/admin/verify-user/${username}`, undefined, admin), 200);
  await vi.waitFor(
    async () => expect((await client.get('/sim/status/all', second.secret)).body.reason).toBe('not-verified'),
    10_000,
  );
  client.expectStatus(await client.remove(`/admin/user/${username}`, admin), 200);
  await vi.waitFor(
    async () => expect((await client.get('/sim/status/all', second.secret)).body.reason).toBe('token-unknown'),
    10_000,
  );
});

test('refuses bad requests for a token, and more than 20 tokens', async () => {
  const unverified = await client.register(client.uniqueName('unverified'));
  const good = { name: 'CI', scopes: ['read'], expires_in_days: 30 };
  client.expectStatus(await client.post('/auth/tokens', good, unverified.token), 403);
  client.expectStatus(await client.post('/auth/tokens', good), 401);
  const { token } = await client.registerVerified(client.uniqueName('many'));
  for (const bad of [
    { name: '' },
    { name: 'a\nb' },
    { scopes: [] },
    { scopes: ['admin'] },
    { expires_in_days: 0 },
    { expires_in_days: 366 },
  ]) {
    expect([400, 422], JSON.stringify(bad)).toContain(
      (await client.post('/auth/tokens', { ...good, ...bad }, token)).status,
    );
  }
  for (let count = 0; count < 20; count++) client.expectStatus(await client.post('/auth/tokens', good, token), 201);
  expect(client.expectStatus(await client.post('/auth/tokens', good, token), 400).reason).toBe('too-many-tokens');
});
