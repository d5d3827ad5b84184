import type { Caller } from '@husky/runtime/rpc/caller';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { anonymous, goodPassword, startAuth } from './service.ts';

const dayMs = 24 * 3_600_000;
const advice = 'make a new one on your account page';
const unknown = `UNAUTHENTICATED token-unknown: This access token is unknown: ${advice}`;
const revoked = `UNAUTHENTICATED token-revoked: This access token has been revoked: ${advice}`;

const auth = await startAuth();
afterAll(() => auth.stop());

const identify = (secret: string) => auth.client.identifyApiToken({ secret }, { caller: anonymous });
const tokensOf = async (caller: Caller) => (await auth.client.listApiTokens({}, { caller })).tokens;

async function member(username: string): Promise<{ caller: Caller; accessToken: string }> {
  const { accessToken } = await auth.register(username);
  const admin = await auth.signInAdmin();
  await auth.client.toggleVerified({ username, value: true }, { caller: admin });
  return { caller: await auth.callerOf(accessToken), accessToken };
}

function create(caller: Caller, change: { name?: string; scopes?: string[]; days?: number } = {}) {
  return auth.client.createApiToken({ name: 'CI', scopes: ['read', 'submit'], days: 30, ...change }, { caller });
}

async function auditOf(action: string): Promise<{ subjectId: string; after: unknown }[]> {
  const { records } = await auth.client.listAudit(
    { action, page: 1, pageSize: 100 },
    { caller: await auth.signInAdmin() },
  );
  return records.map(({ subjectId, afterJson }) => ({ subjectId, after: afterJson && JSON.parse(afterJson) }));
}

test('creates a token whose secret identifies its user, and stores only the hash of the secret', async () => {
  const { caller } = await member('ann');
  const { token, secret } = await create(caller, { name: ' my laptop ', scopes: ['submit', 'read'] });
  expect(secret).toMatch(/^husky_[\w-]{43}$/);
  expect(token).toMatchObject({ name: 'my laptop', scopes: ['read', 'submit'], lastUsedAt: '' });
  const bearer = await identify(secret);
  expect(bearer.user).toMatchObject({ username: 'ann', isVerified: true });
  expect(bearer.token).toMatchObject({ id: token?.id, scopes: ['read', 'submit'] });
  const { rows } = await auth.database.admin.query('SELECT row_to_json(t)::text AS row FROM auth.api_tokens t');
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  expect(await auditOf('access_token.created')).toContainEqual({
    subjectId: token?.id,
    after: { name: 'my laptop', scopes: ['read', 'submit'], expiresAt: token?.expiresAt },
  });
});

test('refuses secrets that are unknown, tampered with or malformed', async () => {
  const { caller } = await member('bea');
  const { secret } = await create(caller);
  const last = secret.at(-1) === 'A' ? 'B' : 'A';
  const bad = [
    '',
    'husky_',
    `${secret}x`,
    secret.slice(0, -1),
    secret.slice(0, -1) + last,
    secret.toUpperCase(),
    ` ${secret}`,
  ];
  for (const text of bad) expect(await refusal(identify(text)), text).toBe(unknown);
  // The secret of an access token is not accepted as the token of a session.
  expect(await refusal(auth.client.identify({ accessToken: secret }, { caller: anonymous }))).toMatch(/invalid-token/);
});

test('refuses an expired token, which stays listed until its user deletes it', async () => {
  const { caller } = await member('cleo');
  const { secret, token } = await create(caller, { days: 1 });
  auth.clock.advance(dayMs - 1000);
  expect(await refusal(identify(secret))).toBe('OK');
  auth.clock.advance(1000);
  expect(await refusal(identify(secret))).toBe(
    `UNAUTHENTICATED token-expired: This access token has expired: ${advice}`,
  );
  expect((await tokensOf(caller)).map(({ id }) => id)).toEqual([token?.id]);
  await auth.client.revokeApiToken({ tokenId: token?.id ?? '' }, { caller });
  expect(await tokensOf(caller)).toEqual([]);
});

test("revokes a token, once; another user's token is not found", async () => {
  const { caller } = await member('dora');
  const mallory = (await member('mallory')).caller;
  const { secret, token } = await create(caller);
  const revoke = (by: Caller, tokenId = token?.id ?? '') => auth.client.revokeApiToken({ tokenId }, { caller: by });
  const notFound = 'NOT_FOUND token-not-found: Access token not found';
  expect(await refusal(revoke(mallory))).toBe(notFound);
  expect(await refusal(revoke(caller, 'no id'))).toBe(notFound);
  expect(await refusal(identify(secret))).toBe('OK');
  expect(await refusal(revoke(caller))).toBe('OK');
  expect(await refusal(identify(secret))).toBe(revoked);
  expect(await refusal(revoke(caller))).toBe(notFound);
  expect((await auditOf('access_token.revoked')).map(({ subjectId }) => subjectId)).toContain(token?.id);
  expect(await tokensOf(mallory)).toEqual([]);
});

test('refuses names, scopes and lifetimes out of bounds', async () => {
  const { caller } = await member('edna');
  for (const [change, reason] of [
    [{ name: ' ' }, 'token-name-invalid'],
    [{ name: 'x'.repeat(61) }, 'token-name-invalid'],
    [{ name: 'a\nb' }, 'token-name-invalid'],
    [{ scopes: [] }, 'token-scopes-invalid'],
    [{ scopes: ['read', 'admin'] }, 'token-scopes-invalid'],
    [{ days: 0 }, 'token-days-invalid'],
    [{ days: 366 }, 'token-days-invalid'],
  ] as const) {
    expect(await refusal(create(caller, change as object)), reason).toMatch(`INVALID_ARGUMENT ${reason}`);
  }
  expect(await tokensOf(caller)).toEqual([]);
});

test('limits a user to 20 valid tokens, even for concurrent calls', async () => {
  const { caller } = await member('fay');
  const outcomes = await Promise.all(Array.from({ length: 24 }, () => refusal(create(caller))));
  expect(outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(20);
  const tooMany = 'FAILED_PRECONDITION too-many-tokens: You have 20 access tokens, the maximum: revoke one first';
  expect(outcomes.filter((outcome) => outcome === tooMany)).toHaveLength(4);
  const [first] = await tokensOf(caller);
  await auth.client.revokeApiToken({ tokenId: first?.id ?? '' }, { caller });
  expect(await refusal(create(caller))).toBe('OK');
});

test('lets only sessions of verified users create tokens, and refuses tokens at calls on the account', async () => {
  const unverified = await auth.callerOf((await auth.register('gina')).accessToken);
  expect(await refusal(create(unverified))).toMatch(/^PERMISSION_DENIED not-verified/);
  expect(await refusal(create(anonymous))).toMatch(/^UNAUTHENTICATED not-signed-in/);
  const { caller } = await member('hilda');
  const program = { ...caller, scopes: ['read', 'submit'] } as Caller;
  const { client } = auth;
  for (const call of [
    () => create(program),
    () => client.listApiTokens({}, { caller: program }),
    () =>
      client.changePassword({ currentPassword: goodPassword, newPassword: 'another long one' }, { caller: program }),
    () => client.changeEmail({ currentPassword: goodPassword, newEmail: 'x@example.com' }, { caller: program }),
    () => client.deleteOwnAccount({ password: goodPassword }, { caller: program }),
    () => client.updateProfile({ name: 'x' }, { caller: program }),
    () => client.exportOwnData({}, { caller: program }),
  ]) {
    expect(await refusal(call())).toBe(
      'PERMISSION_DENIED needs-session: This call needs a session: sign in on the site',
    );
  }
});

test('revokes all tokens when the password changes and when all other sessions are ended', async () => {
  const { caller, accessToken } = await member('iris');
  const first = await create(caller);
  const change = { currentPassword: goodPassword, newPassword: 'another long passphrase' };
  const session = await auth.client.changePassword(change, { caller });
  expect(await refusal(identify(first.secret))).toBe(revoked);
  expect(session.accessToken).not.toBe(accessToken);

  const second = await create(caller);
  await auth.client.endOtherSessions({ accessToken: session.accessToken }, { caller });
  expect(await refusal(identify(second.secret))).toBe(revoked);
  expect((await auditOf('session.others_ended')).at(0)?.after).toEqual({ ended: 0, accessTokensRevoked: 1 });
});

test("shows a user's current state, and deletes the tokens of a deleted account", async () => {
  const { caller } = await member('jane');
  const { secret } = await create(caller);
  const admin = await auth.signInAdmin();
  await auth.client.toggleVerified({ username: 'jane', value: false }, { caller: admin });
  expect((await identify(secret)).user).toMatchObject({ isVerified: false });
  await auth.client.deleteUser({ username: 'jane' }, { caller: admin });
  expect(await refusal(identify(secret))).toBe(unknown);
  expect(await refusal(create(caller))).not.toBe('OK');
});

test('records the last use at most once a minute', async () => {
  const { caller } = await member('kate');
  const { secret } = await create(caller);
  const lastUse = async () => (await tokensOf(caller)).at(0)?.lastUsedAt;
  await identify(secret);
  const first = await vi.waitUntil(lastUse, { timeout: 20_000 });
  auth.clock.advance(59_000);
  await identify(secret);
  expect(await lastUse()).toBe(first);
  auth.clock.advance(1000);
  await identify(secret);
  await vi.waitFor(async () => expect(await lastUse()).not.toBe(first), { timeout: 20_000 });
});

test('exports tokens without their secrets', async () => {
  const { caller } = await member('lola');
  const { token, secret } = await create(caller, { name: 'exported' });
  const { json } = await auth.client.exportOwnData({}, { caller });
  expect(JSON.parse(json).access_tokens).toEqual([
    expect.objectContaining({ id: token?.id, name: 'exported', scopes: ['read', 'submit'] }),
  ]);
  expect(json).not.toContain(secret);
});
