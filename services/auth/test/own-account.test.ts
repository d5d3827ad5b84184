import { byColumn, byField } from '@husky/contracts/profile-fields';
import { sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { adminPassword, anonymous, goodPassword, startAuth } from './service.ts';

const auth = await startAuth();
afterAll(() => auth.stop());

const login = (username: string, password: string) => auth.client.login({ username, password }, { caller: anonymous });
const identify = (accessToken: string) => refusal(auth.client.identify({ accessToken }, { caller: anonymous }));
const invalid = 'UNAUTHENTICATED invalid-token: Invalid or expired token';

async function user(username: string) {
  const session = await auth.register(username);
  return { token: session.accessToken, caller: await auth.callerOf(session.accessToken) };
}

test('changes the password of a user who knows the current one and ends every other session', async () => {
  const { token, caller } = await user('changer');
  const change = (currentPassword: string, newPassword: string) =>
    auth.client.changePassword({ currentPassword, newPassword }, { caller });
  expect(await refusal(change('wrong password', 'a new password'))).toBe(
    'INVALID_ARGUMENT wrong-password: Your current password is wrong',
  );
  expect(await refusal(change(goodPassword, 'short'))).toMatch(/^INVALID_ARGUMENT password-too-short/);
  expect(await refusal(change(goodPassword, 'Iloveyou1!'))).toBe(
    'INVALID_ARGUMENT password-stolen: This password is in lists of stolen passwords. Choose another one.',
  );
  expect(await identify(token)).toBe('OK');
  const session = await change(goodPassword, 'a new password');
  expect(await identify(token)).toBe(invalid);
  expect(await identify(session.accessToken)).toBe('OK');
  expect(await refusal(login('changer', goodPassword))).toMatch(/^UNAUTHENTICATED invalid-credentials/);
  expect(await refusal(login('changer', 'a new password'))).toBe('OK');
});

test('limits the rate of wrong current passwords', async () => {
  const { caller } = await user('guessed');
  const guess = () => refusal(auth.client.deleteOwnAccount({ password: 'wrong password' }, { caller }));
  for (let count = 0; count < 10; count++) expect(await guess()).toMatch(/^INVALID_ARGUMENT wrong-password/);
  expect(await guess()).toMatch(/^RESOURCE_EXHAUSTED too-many-attempts/);
});

test('sets a forgotten password by a mailed link that works once within an hour, and ends all sessions', async () => {
  const { token } = await user('forgetful');
  const requestReset = (email: string) => auth.client.requestPasswordReset({ email }, { caller: anonymous });
  const reset = (link: string, newPassword: string) =>
    refusal(auth.client.resetPassword({ token: link, newPassword }, { caller: anonymous }));
  const before = auth.mails().length;
  const known = await requestReset('FORGETFUL@example.com');
  expect(await requestReset('nobody@example.com')).toEqual(known);
  await vi.waitFor(() => expect(auth.mails()).toHaveLength(before + 1), 10_000);
  expect(auth.mails().at(-1)).toContain('To: forgetful@example.com');
  await requestReset('forgetful@example.com');
  const link = auth.linkToken();
  expect(await reset(link, 'short')).toMatch(/^INVALID_ARGUMENT password-too-short/);
  expect(await reset(link, 'qwertyuiop')).toMatch(/^INVALID_ARGUMENT password-stolen/);
  expect(await refusal(auth.client.verifyEmail({ token: link }, { caller: anonymous }))).toMatch(/^NOT_FOUND/);
  expect((await Promise.all([reset(link, 'remembered'), reset(link, 'remembered')])).sort()).toEqual([
    'FAILED_PRECONDITION link-used: This password link has already been used',
    'OK',
  ]);
  expect(await identify(token)).toBe(invalid);
  expect(await refusal(login('forgetful', 'remembered'))).toBe('OK');
  expect(await reset('x'.repeat(43), 'remembered')).toMatch(/^NOT_FOUND link-unknown/);

  auth.clock.advance(60_000);
  await requestReset('forgetful@example.com');
  await vi.waitFor(() => expect(auth.mails()).toHaveLength(before + 2), 10_000);
  auth.clock.advance(3_600_000);
  expect(await reset(auth.linkToken(), 'remembered')).toMatch(/^FAILED_PRECONDITION link-expired/);
});

test("lists and ends only the caller's sessions", async () => {
  const { caller } = await user('tabs');
  const { caller: stranger } = await user('stranger');
  const address = '2001:db8::1';
  const here = await auth.client.login({ username: 'tabs', password: goodPassword, address }, { caller: anonymous });
  const accessToken = here.accessToken;
  const list = async () => (await auth.client.listSessions({ accessToken }, { caller })).sessions;
  const sessions = await list();
  expect(sessions.filter((session) => session.current)).toEqual([expect.objectContaining({ address })]);
  expect(sessions).toHaveLength(2);
  const second = await auth.client.listSessions({ accessToken, page: 2, pageSize: 1 }, { caller });
  expect(second).toEqual({ sessions: sessions.slice(1), total: 2 });
  const other = sessions.find((session) => !session.current)?.id ?? '';
  expect(await refusal(auth.client.endSession({ sessionId: other }, { caller: stranger }))).toMatch(/^NOT_FOUND/);
  expect(await refusal(auth.client.endSession({ sessionId: 'no id' }, { caller }))).toMatch(/^NOT_FOUND/);
  expect(await auth.client.endSession({ sessionId: other }, { caller })).toEqual({ ended: 1 });
  expect(await refusal(auth.client.endSession({ sessionId: other }, { caller }))).toMatch(/^NOT_FOUND/);
  await login('tabs', goodPassword);
  await login('tabs', goodPassword);
  expect(await auth.client.endOtherSessions({ accessToken }, { caller })).toEqual({ ended: 2 });
  expect(await list()).toHaveLength(1);
  expect(await refusal(auth.client.endOtherSessions({ accessToken }, { caller: stranger }))).toBe(invalid);
  expect(await refusal(auth.client.listSessions({}, { caller: anonymous }))).toMatch(/^UNAUTHENTICATED/);
});

test("deletes one's own account with its password, but never the last admin", async () => {
  const { token, caller } = await user('leaver');
  await auth.client.deleteOwnAccount({ password: goodPassword }, { caller });
  expect(await identify(token)).toBe(invalid);
  expect(await refusal(auth.register('leaver'))).toMatch(/^ALREADY_EXISTS username-taken/);
  const admin = await auth.signInAdmin();
  expect(await refusal(auth.client.deleteOwnAccount({ password: adminPassword }, { caller: admin }))).toBe(
    'FAILED_PRECONDITION last-admin: You are the last admin: make somebody else an admin first',
  );
});

test("exports one's own data without the password", async () => {
  const { caller } = await user('exporter');
  const { json } = await auth.client.exportOwnData({}, { caller });
  expect(JSON.parse(json)).toMatchObject({
    account: { username: 'exporter', email: 'exporter@example.com', is_verified: false },
    sessions: [{ address: '' }],
  });
  expect(json).not.toContain('argon2');
});

test('each field of a profile is stored, listed, exported, and cleared with the account', async () => {
  const profile = byField((field) => `My ${field}`);
  const { token } = await user('profiled');
  await auth.client.verifyEmail({ token: auth.linkToken() }, { caller: anonymous });
  const caller = await auth.callerOf(token);
  expect(await auth.client.updateProfile(profile, { caller })).toMatchObject(profile);
  expect(await auth.client.getUser({ username: 'profiled' }, { caller: anonymous })).toMatchObject(profile);
  const admin = await auth.signInAdmin();
  expect((await auth.client.listUsers({ q: 'profiled' }, { caller: admin })).users).toMatchObject([profile]);
  const { json } = await auth.client.exportOwnData({}, { caller });
  expect(JSON.parse(json).account).toMatchObject(byColumn((field) => profile[field]));
  await auth.client.deleteOwnAccount({ password: goodPassword }, { caller });
  const id = caller.kind === 'user' ? caller.id : '';
  const { rows } = await auth.database.admin.query(sql`SELECT * FROM users WHERE id = ${id}`);
  expect(rows).toMatchObject([byColumn(() => null)]);
});
