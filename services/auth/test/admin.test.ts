import { userChanged } from '@husky/contracts/events';
import { sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import type { Caller } from '@husky/runtime/rpc/caller';
import { expectNamesContract } from '@husky/testkit/contracts';
import { refusal } from '@husky/testkit/refusal';
import { testNats } from '@husky/testkit/servers';
import { testLife } from '@husky/testkit/service-under-test';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { start } from '../src/start.ts';
import { type AuthUnderTest, adminPassword, anonymous, goodPassword, startAuth } from './service.ts';

let auth: AuthUnderTest;
let admin: Caller;
beforeAll(async () => {
  auth = await startAuth();
  admin = await auth.signInAdmin();
});
afterAll(() => auth.stop());

const invalid = 'UNAUTHENTICATED invalid-token: Invalid or expired token';
const asAdmin = () => ({ caller: admin });

async function verifiedUser(username: string) {
  const session = await auth.register(username);
  await auth.client.toggleVerified({ username }, asAdmin());
  return { token: session.accessToken, caller: await auth.callerOf(session.accessToken) };
}

test('grants and revokes the role admin, with effect on running sessions', async () => {
  const { token } = await verifiedUser('promoted');
  expect(await auth.client.toggleAdmin({ username: 'PROMOTED' }, asAdmin())).toMatchObject({ admin: true });
  const promoted = await auth.callerOf(token);
  expect(promoted).toMatchObject({ admin: true });
  await auth.client.toggleAdmin({ username: 'promoted' }, asAdmin());
  expect(await auth.callerOf(token)).toMatchObject({ admin: false });
  // The caller's role is read again, since what the gateway asserts may be a few seconds old.
  expect(await refusal(auth.client.toggleAdmin({ username: 'Root' }, { caller: promoted }))).toMatch(
    /^PERMISSION_DENIED not-admin/,
  );
});

test('refuses changes of an admin to their own account, and of anybody to the house account', async () => {
  const own = { username: 'root' };
  expect(await refusal(auth.client.toggleAdmin(own, asAdmin()))).toBe(
    'FAILED_PRECONDITION own-account: You cannot change your own admin status',
  );
  expect(await refusal(auth.client.toggleVerified(own, asAdmin()))).toMatch(/^FAILED_PRECONDITION own-account/);
  expect(await refusal(auth.client.deleteUser(own, asAdmin()))).toMatch(/^FAILED_PRECONDITION own-account/);
  const house = { username: 'house' };
  for (const call of ['toggleAdmin', 'toggleVerified', 'deleteUser'] as const) {
    expect(await refusal(auth.client[call](house, asAdmin()))).toMatch(/^FAILED_PRECONDITION house-account/);
  }
  expect(await refusal(auth.client.toggleAdmin({ username: 'nobody' }, asAdmin()))).toBe(
    'NOT_FOUND user-not-found: User not found',
  );
});

test('leaves one admin when two demote each other concurrently', async () => {
  const one = await verifiedUser('chief-one');
  const two = await verifiedUser('chief-two');
  for (const username of ['chief-one', 'chief-two']) await auth.client.toggleAdmin({ username }, asAdmin());
  const callers = await Promise.all([auth.callerOf(one.token), auth.callerOf(two.token)]);
  const outcomes = await Promise.all([
    refusal(auth.client.toggleAdmin({ username: 'chief-two' }, { caller: callers[0] })),
    refusal(auth.client.toggleAdmin({ username: 'chief-one' }, { caller: callers[1] })),
  ]);
  expect(outcomes.sort()).toEqual(['OK', expect.stringMatching(/^PERMISSION_DENIED/)]);
});

test('fulfils the contract of names that simulation relies on', async () => {
  const callers = await Promise.all(['named-one', 'named-two'].map(async (name) => (await verifiedUser(name)).caller));
  const users = callers.flatMap((caller) =>
    caller.kind === 'user' ? [{ id: caller.id, username: caller.username }] : [],
  );
  await expectNamesContract(auth.client, users, { caller: anonymous });
});

test('deletes a user: the id becomes a tombstone, the name stays reserved, the address can be registered again', async () => {
  const { token, caller } = await verifiedUser('Gone');
  const id = caller.kind === 'user' ? caller.id : '';
  expect(await auth.client.deleteUser({ username: 'gone' }, asAdmin())).toEqual({ userId: id });
  expect(await refusal(auth.client.identify({ accessToken: token }, { caller: anonymous }))).toBe(invalid);
  const { names } = await auth.client.getNames({ ids: [id, 'no id'] }, { caller: anonymous });
  expect(names).toEqual([{ id, username: `deleted-${id.slice(0, 8)}`, deleted: true, house: false, verified: false }]);
  for (const username of ['Gone', `deleted-${id.slice(0, 8)}`]) {
    expect(await refusal(auth.client.getUser({ username }, asAdmin()))).toMatch(/^NOT_FOUND/);
  }
  expect(await refusal(auth.client.login({ username: 'Gone', password: goodPassword }, { caller: anonymous }))).toMatch(
    /^UNAUTHENTICATED invalid-credentials/,
  );
  expect(await refusal(auth.register('gONE'))).toMatch(/^ALREADY_EXISTS username-taken/);
  const again = { username: 'gone-again', email: 'gone@example.com', password: goodPassword };
  expect(await refusal(auth.client.register(again, { caller: anonymous }))).toBe('OK');
  const { rows } = await auth.database.admin.query(sql`SELECT * FROM users WHERE id = ${id}`);
  expect(JSON.stringify(rows).toLowerCase()).not.toContain('gone');
});

test('shows e-mail addresses to their owner and admins only', async () => {
  const { caller } = await verifiedUser('shy');
  const other = await verifiedUser('curious');
  const emailFor = async (viewer: Caller) => (await auth.client.getUser({ username: 'Shy' }, { caller: viewer })).email;
  expect(await emailFor(anonymous)).toBe('');
  expect(await emailFor(other.caller)).toBe('');
  expect(await emailFor(caller)).toBe('shy@example.com');
  expect(await emailFor(admin)).toBe('shy@example.com');
});

test('updates the given profile fields, clears empty ones and keeps the others', async () => {
  const { caller } = await verifiedUser('editor');
  await auth.client.updateProfile({ name: 'Ed', github: 'ed-gh', about: 'two\r\nlines' }, { caller });
  const user = await auth.client.updateProfile({ github: '', discordUsername: 'ed#1' }, { caller });
  expect(user).toMatchObject({ name: 'Ed', discordUsername: 'ed#1', about: 'two\nlines' });
  expect(user.github).toBeUndefined();
  const unverified = await auth.callerOf((await auth.register('unverified-editor')).accessToken);
  expect(await refusal(auth.client.updateProfile({ name: 'x' }, { caller: unverified }))).toMatch(
    /^PERMISSION_DENIED not-verified/,
  );
});

test('lists and finds people by name in pages: verified ones for users, everybody for admins', async () => {
  const { caller } = await verifiedUser('zz_finder');
  await verifiedUser('zzafinder');
  const hidden = await auth.register('zz-unverified');
  await auth.client.updateProfile({ name: 'Zoë 100% real' }, { caller });
  const list = (request: object, as: Caller = caller) => auth.client.listUsers(request, { caller: as });
  const names = async (request: object, as?: Caller) => (await list(request, as)).users.map((user) => user.username);

  expect(await names({ q: 'ZZ_' })).toEqual(['zz_finder']);
  expect(await names({ q: 'zoë 100%' })).toEqual(['zz_finder']);
  expect(await names({ q: 'zz' })).toEqual(['zz_finder', 'zzafinder'].sort());
  expect(await names({ q: 'zz' }, admin)).toContain(hidden.user?.username);
  expect(await names({ q: 'zz', status: 'unverified' }, admin)).toEqual(['zz-unverified']);
  expect(await names({ q: 'house' })).toEqual([]);
  expect(await names({ q: 'deleted-' }, admin)).toEqual([]);
  const all = await names({ pageSize: 1000 }, admin);
  expect(all).toEqual([...all].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  const second = await list({ page: 2, pageSize: 1 });
  expect(second.users).toHaveLength(1);
  expect(second.total).toBeGreaterThan(2);
  expect((await list({ page: 999 })).users).toEqual([]);
  expect((await list({})).users.every((user) => user.email === '')).toBe(true);
  expect(await refusal(list({ status: 'admin' }))).toMatch(/^PERMISSION_DENIED/);
  expect(await refusal(list({}, anonymous))).toMatch(/^UNAUTHENTICATED/);
  expect(await refusal(list({ pageSize: 1001 }))).toMatch(/^INVALID_ARGUMENT/);
});

test('counts people for admins only and resolves names in upper and lower case', async () => {
  const { caller } = await verifiedUser('counted');
  const counts = await auth.client.countUsers({}, asAdmin());
  const { rows } = await auth.database.admin.query(
    'SELECT count(*)::int AS n FROM users WHERE NOT house AND deleted_at IS NULL',
  );
  expect(counts.userCount).toBe(rows[0].n);
  expect(counts.verifiedCount).toBeLessThanOrEqual(counts.userCount);
  expect(await refusal(auth.client.countUsers({}, { caller }))).toMatch(/^PERMISSION_DENIED/);
  const { names } = await auth.client.resolveNames(
    { usernames: ['COUNTED', 'house', 'nobody', 'Gone', ' '] },
    { caller: anonymous },
  );
  expect(names.map(({ username, house }) => [username, house]).sort()).toEqual([
    ['counted', false],
    ['house', true],
  ]);
});

test('publishes an event for every change of a user', async () => {
  const messaging = await connectNats(await testNats('gateway'), createLogger('test', 'fatal'));
  const received: { userId: string; change: string }[] = [];
  messaging.listen(userChanged.subject, (payload) => received.push(userChanged.decode(payload)));
  await messaging.connection.flush();
  const { token, caller } = await verifiedUser('announced');
  const id = caller.kind === 'user' ? caller.id : '';
  await auth.client.updateProfile({ name: 'A' }, { caller });
  await auth.client.toggleAdmin({ username: 'announced' }, asAdmin());
  await auth.client.logout({ accessToken: token }, { caller });
  await auth.client.deleteUser({ username: 'announced' }, asAdmin());
  const changes = () => received.filter((event) => event.userId === id).map((event) => event.change);
  await vi.waitFor(() => expect(changes()).toHaveLength(6), 10_000);
  expect(changes().sort()).toEqual(['DELETED', 'REGISTERED', 'ROLE', 'SIGNED_OUT', 'UPDATED', 'VERIFIED']);
  await messaging.close();
});

test('keeps the password of an existing admin when the service restarts', async () => {
  const life = testLife('auth');
  await start(
    { ...auth.config, firstAdmin: { username: 'root', password: 'another password', email: 'x@localhost' } },
    life,
  );
  await life.stop();
  expect(
    await refusal(auth.client.login({ username: 'root', password: 'another password' }, { caller: anonymous })),
  ).toMatch(/^UNAUTHENTICATED/);
  expect(await refusal(auth.client.login({ username: 'root', password: adminPassword }, { caller: anonymous }))).toBe(
    'OK',
  );
});
