// The gateway's responses while Keycloak is suspended by SIGSTOP, and afterwards.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { expectStatus, get, post, register, uniqueName } from '../client.ts';

const sentence =
  'Sign-in is not available right now: the identity service does not answer. Please try again in a moment';

function signalKeycloak(signal: NodeJS.Signals): void {
  const processes = join(inject('platform').dataDir, 'processes.json');
  const { keycloak } = JSON.parse(readFileSync(processes, 'utf8')) as { keycloak?: { pid: number } };
  if (!keycloak) throw new Error('the platform has no Keycloak of its own');
  process.kill(keycloak.pid, signal);
}

test('reports that sign-in is unavailable, serves public data, and recovers without a restart', async () => {
  const { username, password, token } = await register();
  expectStatus(await get('/readyz'), 200);
  signalKeycloak('SIGSTOP');
  onTestFinished(() => signalKeycloak('SIGCONT'));

  const form = { username: uniqueName(), email: `${uniqueName()}@test.invalid`, password };
  await vi.waitFor(async () => expectStatus(await get('/auth/whoami', token), 503), 30_000);
  const responses = await Promise.all([
    post('/auth/login', { username, password }),
    post('/auth/register', form),
    get('/auth/whoami', token),
    get('/submission/list', token),
    post('/auth/logout', undefined, token),
  ]);
  // 503 and not 401, so that the browser keeps the token.
  for (const response of responses) expect(expectStatus(response, 503)).toMatchObject({ detail: sentence });
  const ready = await vi.waitUntil(async () => {
    const response = await get('/readyz');
    return response.status === 503 ? response : undefined;
  }, 30_000);
  expect(ready.body.status).toBe('not ready: Keycloak, the identity service, does not answer');

  for (const path of ['/healthz', '/leaderboard/top/5', '/app-config.json', `/profile/${username}`]) {
    expectStatus(await get(path), 200);
    // Public data is served although the token cannot be checked.
    expectStatus(await get(path, token), 200);
  }

  // What an anonymous caller may not read returns 503, because the token may be the owner's.
  const hidden = `/sim/status/${randomUUID()}`;
  expectStatus(await get(hidden), 404);
  expect(expectStatus(await get(hidden, token), 503)).toMatchObject({ detail: sentence });

  signalKeycloak('SIGCONT');
  await vi.waitFor(async () => expectStatus(await get('/auth/whoami', token), 200), 30_000);
  expectStatus(await post('/auth/login', { username, password }), 200);
  expectStatus(await post('/auth/register', form), 201);
  expectStatus(await get('/readyz'), 200);
});
