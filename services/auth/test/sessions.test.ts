import { refusal } from '@husky/testkit/refusal';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  generateKeyPair,
  type JWTHeaderParameters,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, adminPassword, anonymous, goodPassword, startAuth } from './service.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const invalid = 'UNAUTHENTICATED invalid-token: Invalid or expired token';
const identify = (accessToken: string) => auth.client.identify({ accessToken }, { caller: anonymous });
const login = (username: string, password: string, address = '') =>
  auth.client.login({ username, password, address }, { caller: anonymous });

test('signs in whatever the case of the name and says who holds the token', async () => {
  await auth.register('Bob');
  const session = await login('bOB', goodPassword);
  expect(await identify(session.accessToken)).toMatchObject({ username: 'Bob', email: 'Bob@example.com' });
});

test('signs tokens with keys that it publishes without their private part', async () => {
  const { accessToken, user } = await login('Root', adminPassword);
  const { jwksJson } = await auth.client.getKeys({}, { caller: anonymous });
  const jwks = JSON.parse(jwksJson);
  expect(JSON.stringify(jwks)).not.toContain('"d"');
  const { payload, protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet(jwks));
  expect(protectedHeader.alg).toBe(auth.realm ? 'RS256' : 'EdDSA');
  expect(jwks.keys).toContainEqual(expect.objectContaining({ kid: protectedHeader.kid }));
  expect(payload).toMatchObject({ sub: user?.id, sid: expect.any(String) });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(12 * 3600);
});

test('answers a wrong password, an unknown name and the house alike', async () => {
  await auth.register('carol');
  for (const [name, password] of [
    ['carol', 'wrong password'],
    ['nobody', goodPassword],
    ['house', ''],
    ['', ''],
  ]) {
    expect(await refusal(login(name ?? '', password ?? ''))).toBe(
      'UNAUTHENTICATED invalid-credentials: Invalid credentials',
    );
  }
});

test('refuses a token that has expired, was signed by another key, by none, or was tampered with', async () => {
  const session = await auth.register('dave');
  const [header = '', payload = '', signature = ''] = session.accessToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const real = decodeProtectedHeader(session.accessToken) as JWTHeaderParameters;
  const foreign = await generateKeyPair(real.alg);
  const forged = await new SignJWT(claims).setProtectedHeader(real).sign(foreign.privateKey);
  const other = Buffer.from(JSON.stringify({ ...claims, sub: '00000000-0000-8000-8000-000000000001' }));
  const bad = [
    forged,
    new UnsecuredJWT(claims).encode(),
    `${header}.${other.toString('base64url')}.${signature}`,
    `${header}.${payload}.`,
    'not a token',
    '',
  ];
  for (const token of bad) expect(await refusal(identify(token))).toBe(invalid);
  expect(await refusal(identify(session.accessToken))).toBe('OK');
  if (auth.realm) return; // Keycloak's clock is its own: keycloak/realm.test.ts
  auth.clock.advance(12 * 3600_000 + 1000);
  expect(await refusal(identify(session.accessToken))).toBe(invalid);
});

test('ends a session at sign-out, for its own user only, and leaves the others', async () => {
  await auth.register('erin');
  const first = await login('erin', goodPassword);
  const second = await login('erin', goodPassword);
  const mallory = await auth.callerOf((await auth.register('mallory')).accessToken);
  const logout = (caller = mallory) => auth.client.logout({ accessToken: first.accessToken }, { caller });
  expect(await refusal(logout())).toBe(invalid);
  expect(await refusal(logout(anonymous))).toMatch(/^UNAUTHENTICATED not-signed-in/);
  const erin = await auth.callerOf(first.accessToken);
  await logout(erin);
  await logout(erin);
  expect(await refusal(identify(first.accessToken))).toBe(invalid);
  expect(await refusal(identify(second.accessToken))).toBe('OK');
});

test('backs off after ten failures for a name from an address, known or not, and forgives a success', async () => {
  await auth.register('frank');
  for (const name of ['frank', 'no-such-user']) {
    const answers: string[] = [];
    for (let count = 0; count < 11; count++) answers.push(await refusal(login(name, 'wrong password', '192.0.2.1')));
    expect(answers.slice(0, 10).every((answer) => answer.startsWith('UNAUTHENTICATED'))).toBe(true);
    expect(answers[10]).toBe('RESOURCE_EXHAUSTED too-many-attempts: Too many attempts. Please try again in 2s');
  }
  expect(await refusal(login('frank', goodPassword, '192.0.2.1'))).toMatch(/^RESOURCE_EXHAUSTED/);
  expect(await refusal(login('frank', goodPassword, '192.0.2.2'))).toBe('OK');
  auth.clock.advance(2000);
  expect(await refusal(login('frank', goodPassword, '192.0.2.1'))).toBe('OK');
  expect(await refusal(login('frank', 'wrong password', '192.0.2.1'))).toMatch(/^UNAUTHENTICATED/);
});

/** The answer to a sign-in whose password was checked: a Keycloak on a busy machine may answer too late, which is not counted. */
async function checked(signIn: () => Promise<unknown>): Promise<string> {
  for (let tries = 1; ; tries++) {
    const answer = await refusal(signIn());
    if (tries === 5 || !answer.startsWith('UNAVAILABLE')) return answer;
  }
}

test('an attacker in the same network locks the owner out for a minute at most', async () => {
  await auth.register('olga');
  expect(await refusal(login('olga', goodPassword, '192.0.2.70'))).toBe('OK');
  for (const address of ['192.0.2.70', '203.0.113.70']) {
    for (let failures = 0; failures < 30; failures++) {
      expect(await checked(() => login('olga', 'wrong password', address))).toMatch(/^UNAUTHENTICATED/);
      if (failures >= 9) auth.clock.advance(60_000);
    }
    expect(await checked(() => login('olga', goodPassword, address))).toBe('OK');
  }
});

test('lets at most ten of many guesses at once through', async () => {
  await auth.register('grace');
  const tries = Array.from({ length: 20 }, () => refusal(login('grace', 'wrong password', '192.0.2.3')));
  const answers = await Promise.all(tries);
  const count = (code: string) => answers.filter((answer) => answer.startsWith(code)).length;
  const checked = count('UNAUTHENTICATED');
  expect(checked).toBeGreaterThan(0);
  expect(checked).toBeLessThanOrEqual(10);
  // A Keycloak that is asked ten times at once may answer one of them too late, which is told and not counted.
  expect(checked + count('RESOURCE_EXHAUSTED') + count('UNAVAILABLE')).toBe(20);
  expect(count('RESOURCE_EXHAUSTED')).toBeGreaterThan(0);
});

test("keeps nobody out of their own network by strangers' failures elsewhere, and lets nobody guess there for long", async () => {
  await auth.register('heidi');
  expect(await refusal(login('heidi', goodPassword, '192.0.2.40'))).toBe('OK');
  for (let count = 0; count < 101; count++) {
    await refusal(login('heidi', 'wrong password', `198.51.100.${count}`));
  }
  expect(await refusal(login('heidi', goodPassword, '203.0.113.9'))).toMatch(/^RESOURCE_EXHAUSTED too-many-attempts/);
  expect(await refusal(login('heidi', goodPassword, '192.0.2.41'))).toBe('OK');
  const answers: string[] = [];
  for (let count = 0; count < 11; count++) {
    answers.push(await refusal(login('heidi', 'wrong password', `192.0.2.${50 + count}`)));
  }
  expect(answers.filter((answer) => answer.startsWith('UNAUTHENTICATED'))).toHaveLength(10);
  expect(answers[10]).toMatch(/^RESOURCE_EXHAUSTED too-many-attempts/);
});

test('keeps no password, link or address of a failed sign-in in the clear', async () => {
  await login('nobody-here', 'a secret try', '198.51.100.7').catch(() => undefined);
  const tables = ['users', 'mail_tokens', 'login_attempts', 'known_places'];
  const rows = await Promise.all(tables.map((table) => auth.database.admin.query(`SELECT * FROM ${table}`)));
  const text = JSON.stringify(rows.map((result) => result.rows));
  for (const secret of [goodPassword, adminPassword, 'nobody-here', '198.51.100.7']) expect(text).not.toContain(secret);
  // Passwords are in Keycloak where accounts are.
  expect(text.includes('$argon2id$')).toBe(auth.realm === undefined);
});
