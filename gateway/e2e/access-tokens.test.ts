// Access tokens of programs at the edge: what they reach, what they never reach, and how they end.
import { beforeAll, expect, test, vi } from 'vitest';
import {
  adminToken,
  type Body,
  botFiles,
  call,
  ended,
  expectStatus,
  get,
  platform,
  post,
  register,
  registerVerified,
  remove,
  submissionFields,
  testRunFields,
  uniqueName,
  uploadForm,
} from './client.ts';

interface Operation {
  readonly 'x-access': string;
  readonly 'x-token-scope'?: 'read' | 'submit' | 'any';
  readonly requestBody?: object;
}

async function makeToken(session: string, scopes: readonly string[] = ['read', 'submit']): Promise<Body> {
  return expectStatus(await post('/auth/tokens', { name: scopes.join(), scopes, expires_in_days: 7 }, session), 201);
}

let operations: { method: string; path: string; operation: Operation }[];
let user: { username: string; token: string };
let secret: string;

beforeAll(async () => {
  const { paths } = expectStatus(await get('/openapi.json'), 200) as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  user = await registerVerified(uniqueName('program'));
  secret = (await makeToken(user.token)).secret;
});

function send({ method, path, operation }: (typeof operations)[number], token: string) {
  const filled = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
  return call(method, filled, { token, ...(operation.requestBody === undefined ? {} : { json: {} }) });
}

test('a token reaches no call without a scope, not even that of an admin', async () => {
  const admin = await makeToken(await adminToken());
  const closed = operations.filter(
    ({ operation }) => !operation['x-token-scope'] && operation['x-access'] !== 'anyone',
  );
  expect(closed.length).toBeGreaterThan(50);
  for (const one of closed) {
    const { status, body } = await send(one, admin.secret);
    expect([status, body.reason], `${one.method} ${one.path}`).toEqual([403, 'needs-session']);
  }
  expectStatus(await remove(`/auth/tokens/${admin.id}`, await adminToken()), 200);
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
    expect(expectStatus(await get('/auth/whoami', token.secret), 200).access_token.scopes).toEqual([other]);
  }
});

test('uploads, marks, runs and reads with a token, as with a session', async () => {
  const { player, requirements } = botFiles('calling-station');
  const form = uploadForm(submissionFields, player, requirements);
  const { submission_id } = expectStatus(await call('POST', '/submission/upload', { form, token: secret }), 200);
  expectStatus(await post('/submission/mark_final', { submission_id }, secret), 200);
  expectStatus(await post('/submission/unmark_final', { submission_id }, secret), 200);
  const run = { form: uploadForm(testRunFields, player), token: secret };
  const { job_id } = expectStatus(await call('POST', '/sim/async_run', run), 200);
  expect((await ended(job_id, secret)).job_status).toBe('Finished');
  const jobs = expectStatus(await get('/sim/status/all', secret), 200) as Body[];
  expect(jobs.map((job) => job.job_id)).toContain(job_id);
  for (const path of ['download', `log/${user.username}`, `bots/${user.username}`, 'games']) {
    // live-data learns of the end of a match by an event.
    await expect
      .poll(async () => (await get(`/live/job/${job_id}/${path}`, secret)).status, { message: path })
      .toBe(200);
  }
  const stranger = await makeToken((await registerVerified(uniqueName('stranger'))).token);
  for (const path of ['download', `log/${user.username}`, 'games']) {
    expectStatus(await get(`/live/job/${job_id}/${path}`, stranger.secret), 403);
  }
  const { tokens } = expectStatus(await get('/auth/tokens', user.token), 200);
  expect(tokens.find(({ name }: Body) => name === 'read,submit').last_used_at).not.toBeNull();
  expect(JSON.stringify(tokens)).not.toContain(secret);
});

test('a token is read from the header alone', async () => {
  for (const query of [`access_token=${secret}`, `token=${secret}`]) {
    expectStatus(await get(`/sim/status/all?${query}`), 401);
  }
  expectStatus(await call('GET', '/sim/status/all', { headers: { cookie: `token=${secret}` } }), 401);
  expectStatus(
    await call('GET', '/sim/status/all', { headers: { authorization: `Basic ${btoa(`x:${secret}`)}` } }),
    401,
  );
});

test('refuses a tampered token everywhere, and a token is no session', async () => {
  const tampered = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
  for (const path of ['/sim/status/all', '/leaderboard/top/5', '/auth/whoami']) {
    const { status, body, headers } = await get(path, tampered);
    expect([status, body.reason], path).toEqual([401, 'token-unknown']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await get('/leaderboard/top/5', secret)).status).toBe(200);
});

test('a revoked token ends at once, with its open streams', async () => {
  const { id, secret: own } = await makeToken(user.token);
  const other = await registerVerified(uniqueName('revoker'));
  expectStatus(await remove(`/auth/tokens/${id}`, other.token), 404);
  const run = { form: uploadForm(testRunFields, botFiles('calling-station').player), token: own };
  const { job_id } = expectStatus(await call('POST', '/sim/async_run', run), 200);
  const open = await fetch(`${platform().origin}/live/job/${job_id}/events`, {
    headers: { authorization: `Bearer ${own}`, accept: 'text/event-stream' },
    signal: AbortSignal.timeout(60_000),
  });
  expect(open.status).toBe(200);
  expectStatus(await remove(`/auth/tokens/${id}`, user.token), 200);
  const { status, body } = await get('/sim/status/all', own);
  expect([status, body.reason, body.detail]).toEqual([
    401,
    'token-revoked',
    'This access token has been revoked: make a new one on your account page',
  ]);
  await open.text();
  expect((await ended(job_id, user.token)).job_status).toBe('Finished');
});

test("a new password revokes tokens; a deleted user's token is unknown; an unverified user's reaches nothing verified", async () => {
  const { username, token, password } = await registerVerified(uniqueName('ends'));
  const first = await makeToken(token);
  const change = { current_password: password, new_password: 'another long passphrase' };
  const { access_token } = expectStatus(await post('/auth/change-password', change, token), 200);
  await vi.waitFor(async () => expect((await get('/auth/whoami', first.secret)).body.reason).toBe('token-revoked'));

  const second = await makeToken(access_token);
  const admin = await adminToken();
  expectStatus(await post(`/admin/verify-user/${username}`, undefined, admin), 200);
  await vi.waitFor(async () => expect((await get('/sim/status/all', second.secret)).body.reason).toBe('not-verified'));
  expectStatus(await remove(`/admin/user/${username}`, admin), 200);
  await vi.waitFor(async () => expect((await get('/sim/status/all', second.secret)).body.reason).toBe('token-unknown'));
});

test('refuses bad requests for a token, and more than 20 tokens', async () => {
  const unverified = await register(uniqueName('unverified'));
  const good = { name: 'CI', scopes: ['read'], expires_in_days: 30 };
  expectStatus(await post('/auth/tokens', good, unverified.token), 403);
  expectStatus(await post('/auth/tokens', good), 401);
  const { token } = await registerVerified(uniqueName('many'));
  for (const bad of [
    { name: '' },
    { name: 'a\nb' },
    { scopes: [] },
    { scopes: ['admin'] },
    { expires_in_days: 0 },
    { expires_in_days: 366 },
  ]) {
    expect([400, 422], JSON.stringify(bad)).toContain((await post('/auth/tokens', { ...good, ...bad }, token)).status);
  }
  for (let count = 0; count < 20; count++) expectStatus(await post('/auth/tokens', good, token), 201);
  expect(expectStatus(await post('/auth/tokens', good, token), 400).reason).toBe('too-many-tokens');
});
