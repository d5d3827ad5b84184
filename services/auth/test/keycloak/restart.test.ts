// This file starts its own Keycloak, because it stops, restarts and suspends it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { suspend } from '@husky/runtime/process/supervised-process';
import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { testLife } from '@husky/testkit/service-under-test';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Keycloak, startKeycloak } from '../../../../scripts/keycloak/keycloak.ts';
import type { AuthConfig } from '../../src/config.ts';
import { type AuthUnderTest, anonymous, goodPassword, startAuth } from '../service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'husky-keycloak-'));
const running: AuthUnderTest[] = [];
let restart: () => Promise<Keycloak>;
let keycloak: Keycloak;
let auth: AuthUnderTest;
let token: string;
let caller: Caller;

const withKeycloak = (config: AuthConfig): AuthConfig => {
  const { url, realm, clientId, clientSecret, webClientId } = keycloak;
  return { ...config, keycloak: { url, internalUrl: url, realm, clientId, clientSecret, webClientId } };
};

beforeAll(async () => {
  const port = await freePort();
  const secrets = { clientSecret: 'a client secret', adminPassword: 'an admin password' };
  restart = () => startKeycloak({ dataDir, port, publicUrl: 'http://husky.test', ...secrets });
  keycloak = await restart();
  auth = await startAuth(withKeycloak);
  running.push(auth);
  token = (await auth.register('patient')).accessToken;
  caller = await auth.callerOf(token);
});
afterAll(async () => {
  for (const one of running) await one.stop();
  await keycloak?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const unavailable = /^UNAVAILABLE identity-away: Sign-in is not available right now/;
const login = () => auth.client.login({ username: 'patient', password: goodPassword }, { caller: anonymous });
const identify = () => auth.client.identify({ accessToken: token }, { caller: anonymous });

async function expectUnavailable(): Promise<void> {
  for (const call of [identify, login, () => auth.register('impatient')])
    expect(await refusal(call())).toMatch(unavailable);
  expect(await refusal(auth.client.logout({ accessToken: token }, { caller }))).toMatch(unavailable);
  expect(await auth.client.getKeys({}, { caller: anonymous })).toMatchObject({ identityAway: true });
  expect(await refusal(auth.client.getUser({ username: 'patient' }, { caller: anonymous }))).toBe('OK');
}

/** Checks that an old token and a new sign-in work without a restart of auth. */
async function expectAvailable(): Promise<void> {
  await vi.waitFor(async () => expect(await identify()).toMatchObject({ username: 'patient' }), { timeout: 20_000 });
  expect((await login()).user).toMatchObject({ username: 'patient' });
  expect(await auth.client.getKeys({}, { caller: anonymous })).toMatchObject({ identityAway: false });
}

test('sessions survive a restart of Keycloak, and an auth that starts meanwhile waits for it', async () => {
  await keycloak.stop();
  await expectUnavailable();
  const life = testLife('auth');
  const second = startAuth(withKeycloak, life);
  await vi.waitFor(() => expect(life.checks.get('Keycloak')?.()).rejects.toThrow('it has not answered yet'), 20_000);
  keycloak = await restart();
  await expectAvailable();
  running.push(await second);
  expect(await life.checks.get('Keycloak')?.()).toBeUndefined();
});

test('a suspended Keycloak is reported as unreachable; calls succeed again once it continues', async () => {
  await suspend(keycloak.pid);
  try {
    await expectUnavailable();
  } finally {
    process.kill(keycloak.pid, 'SIGCONT');
  }
  await expectAvailable();
});
