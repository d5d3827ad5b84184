import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { testLife } from '@husky/testkit/service-under-test';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AuthUnderTest, anonymous, goodPassword, startAuth } from '../service.ts';

// Mode of the proxy between auth and Keycloak: forwards, accepts and never responds, drops responses, or responds by itself.
let mode: 'pass' | 'hang' | 'mute' | { readonly status: string; readonly type: string; readonly body: string } = 'pass';
let port = 0;
let proxy: Server;
let arrived = 0;
const open = new Set<Socket>();

async function startProxy(target: URL): Promise<void> {
  proxy = createServer((near) => {
    open.add(near);
    arrived++;
    near.on('error', () => undefined).on('close', () => open.delete(near));
    if (mode === 'hang') return;
    if (typeof mode === 'object') {
      const { status, type, body } = mode;
      const head = [
        `HTTP/1.1 ${status}`,
        `content-type: ${type}`,
        `content-length: ${body.length}`,
        'connection: close',
      ];
      near.once('data', () => near.end(`${head.join('\r\n')}\r\n\r\n${body}`));
      return;
    }
    const far = new Socket().connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    near.pipe(far);
    if (mode === 'pass') far.pipe(near);
    else far.resume();
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  port = (proxy.address() as AddressInfo).port;
}

async function closeProxy(): Promise<void> {
  for (const socket of open) socket.destroy();
  const closed = once(proxy, 'close');
  proxy.close();
  await closed;
}

async function setProxyMode(to: typeof mode): Promise<void> {
  await closeProxy();
  mode = to;
  await startProxy(target);
}

const life = testLife('auth');
let auth: AuthUnderTest;
let token: string;
let caller: Caller;
let target: URL;
beforeAll(async () => {
  auth = await startAuth(async (config) => {
    if (!config.keycloak) throw new Error('this suite needs a Keycloak: make test-keycloak');
    target = new URL(config.keycloak.url);
    await startProxy(target);
    return { ...config, keycloak: { ...config.keycloak, internalUrl: `http://127.0.0.1:${port}` } };
  }, life);
  token = (await auth.register('patient')).accessToken;
  caller = await auth.callerOf(token);
});
afterAll(async () => {
  await closeProxy();
  await auth.stop();
});

const unavailable = /^UNAVAILABLE identity-away: Sign-in is not available right now/;
const calls: Record<string, () => Promise<unknown>> = {
  identify: () => auth.client.identify({ accessToken: token }, { caller: anonymous }),
  login: () => auth.client.login({ username: 'patient', password: goodPassword }, { caller: anonymous }),
  register: () => auth.register('impatient'),
  'list sessions': () => auth.client.listSessions({ accessToken: token }, { caller }),
};

async function expectUnavailable(): Promise<void> {
  for (const [name, call] of Object.entries(calls)) expect(await refusal(call()), name).toMatch(unavailable);
  expect(await auth.client.getKeys({}, { caller: anonymous })).toMatchObject({ identityAway: true });
  // The readiness check returns a note instead of failing: public pages need names from auth.
  expect(await life.checks.get('Keycloak')?.()).toMatch(/^it does not answer/);
  // Calls without identity succeed.
  expect(await refusal(auth.client.getUser({ username: 'patient' }, { caller: anonymous }))).toBe('OK');
}

/** Expects the accounts to work again soon: on a busy machine Keycloak's first answers take longer than five seconds. */
async function expectAvailable(): Promise<void> {
  const identified = () => auth.client.identify({ accessToken: token }, { caller: anonymous });
  await vi.waitFor(async () => expect(await identified()).toMatchObject({ username: 'patient' }), {
    timeout: 40_000,
    interval: 500,
  });
  expect(await auth.client.getKeys({}, { caller: anonymous })).toMatchObject({ identityAway: false });
  expect(await life.checks.get('Keycloak')?.()).toBeUndefined();
}

test('reports an unreachable Keycloak and recovers', async () => {
  await expectAvailable();
  await closeProxy();
  await expectUnavailable();
  await startProxy(target);
  await expectAvailable();
});

test('reports a Keycloak that does not respond within five seconds', async () => {
  await setProxyMode('hang');
  await expectUnavailable();
  await setProxyMode('pass');
  await expectAvailable();
});

test('lets one call probe a hanging Keycloak while the others fail fast', async () => {
  await setProxyMode('hang');
  const identify = () => refusal(auth.client.identify({ accessToken: token }, { caller: anonymous }));
  for (let count = 0; count < 3; count++) expect(await identify()).toMatch(unavailable);
  const before = arrived;
  for (const outcome of await Promise.all(Array.from({ length: 20 }, identify))) expect(outcome).toMatch(unavailable);
  // On a busy machine the first probe may end before the last of the calls begins.
  expect(arrived - before).toBeLessThanOrEqual(2);
  await setProxyMode('pass');
  await expectAvailable();
});

test.each([
  ['500 Internal Server Error', 'application/json', '{"error":"unknown_error"}'],
  ['502 Bad Gateway', 'text/html', '<h1>Bad Gateway</h1>'],
  ['503 Service Unavailable', 'text/plain', ''],
])('reports Keycloak as unavailable while the response is %s', async (status, type, body) => {
  await setProxyMode({ status, type, body });
  await expectUnavailable();
  await setProxyMode('pass');
  await expectAvailable();
});

test.each([
  ['404 Not Found', 'text/html', 'no such host'],
  ['403 Forbidden', 'application/json', '{"error":"access_denied","error_description":"Realm not enabled"}'],
  ['429 Too Many Requests', 'text/plain', 'slow down'],
  ['200 OK', 'text/html', '<h1>Back soon</h1>'],
])('ends no session when something other than the realm responds with %s', async (status, type, body) => {
  await setProxyMode({ status, type, body });
  for (const name of ['identify', 'login', 'register', 'list sessions']) {
    expect(await refusal(calls[name]?.() as Promise<unknown>), name).toMatch(unavailable);
  }
  await setProxyMode('pass');
  await expectAvailable();
});

test('a registration that timed out is completed by repeating it', async () => {
  expect(await refusal(calls['list sessions']?.() as Promise<unknown>)).toBe('OK');
  await setProxyMode('mute');
  expect(await refusal(auth.register('halfway'))).toMatch(unavailable);
  await setProxyMode('pass');
  expect(await auth.realm?.idOf('halfway')).toBeDefined();
  const other = { username: 'halfway', email: 'halfway@example.com', password: 'of somebody else' };
  expect(await refusal(auth.client.register(other, { caller: anonymous }))).toMatch(/^ALREADY_EXISTS username-taken/);
  const { accessToken, user } = await auth.register('halfway');
  expect(user).toMatchObject({ username: 'halfway', isVerified: false });
  expect(await auth.callerOf(accessToken)).toMatchObject({ username: 'halfway' });
  expect(await refusal(auth.register('halfway'))).toMatch(/^ALREADY_EXISTS username-taken/);
});

test('attempts whose password could not be checked are refunded', async () => {
  await closeProxy();
  for (let count = 0; count < 15; count++)
    expect(await refusal(calls.login?.() as Promise<unknown>)).toMatch(unavailable);
  const change = { currentPassword: goodPassword, newPassword: 'another good one' };
  for (let count = 0; count < 15; count++) {
    expect(await refusal(auth.client.changePassword(change, { caller }))).toMatch(unavailable);
  }
  await startProxy(target);
  expect(await refusal(calls.login?.() as Promise<unknown>)).toBe('OK');
  expect(await refusal(auth.client.changePassword(change, { caller }))).toBe('OK');
});
