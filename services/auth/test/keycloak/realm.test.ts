import { refusal } from '@husky/testkit/refusal';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestRealm } from '../realm.ts';
import { type AuthUnderTest, adminPassword, anonymous, goodPassword, startAuth } from '../service.ts';

let auth: AuthUnderTest;
let realm: TestRealm;
beforeAll(async () => {
  auth = await startAuth();
  if (!auth.realm) throw new Error('this suite needs a Keycloak: make test-keycloak');
  realm = auth.realm;
});
afterAll(() => auth.stop());

const invalid = 'UNAUTHENTICATED invalid-token: Invalid or expired token';
const identify = (accessToken: string) => auth.client.identify({ accessToken }, { caller: anonymous });
const login = (username: string, password = goodPassword) =>
  auth.client.login({ username, password }, { caller: anonymous });
const asAdmin = async () => ({ caller: await auth.signInAdmin() });

/** A token of the realm by any of its clients. */
async function grantBy(client: Record<string, string>, username: string): Promise<Record<string, string>> {
  const form = { grant_type: 'password', scope: 'openid', username, password: goodPassword, ...client };
  const { url, realm: name } = realm.settings;
  const path = `${url}/realms/${name}/protocol/openid-connect/token`;
  // Keycloak refuses a sign-in while it is still busy with another one of the same user.
  return vi.waitFor(async () => {
    const response = await fetch(path, { method: 'POST', body: new URLSearchParams(form) });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  }, 10_000);
}

async function clientOf(clientId: string) {
  const [client] = (await realm.call('GET', `/clients?clientId=${clientId}`)) as Record<string, unknown>[];
  return client as { id: string; attributes: Record<string, string> };
}

test('somebody who was made in Keycloak gets a profile at first sight, which follows from then on', async () => {
  const id = await realm.addUser('newcomer', goodPassword);
  expect(await refusal(auth.client.getUser({ username: 'newcomer' }, { caller: anonymous }))).toMatch(/^NOT_FOUND/);
  const { accessToken, user } = await login('newcomer');
  expect(user).toMatchObject({ id, username: 'newcomer', admin: false, isVerified: false });
  await realm.call('PUT', `/users/${id}`, { emailVerified: true, email: 'moved@example.com' });
  await realm.setAdmin(id, true);
  const promoted = { admin: true, isVerified: true, email: 'moved@example.com' };
  expect(await identify(accessToken)).toMatchObject(promoted);
  expect(await auth.client.getUser({ username: 'newcomer' }, await asAdmin())).toMatchObject(promoted);
  await realm.setAdmin(id, false);
  expect(await identify(accessToken)).toMatchObject({ admin: false, isVerified: true });
  const { records } = await auth.client.listAudit({ subjectId: id, pageSize: 100 }, await asAdmin());
  expect(records.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.registered', 'user.role_changed', 'user.verification_changed', 'user.email_changed']),
  );
});

test('what admins change here is changed in Keycloak, and a role that comes from a group stays', async () => {
  await auth.register('mapped');
  const id = await realm.idOf('mapped');
  const roles = async () =>
    ((await realm.call('GET', `/users/${id}/role-mappings/realm/composite`)) as { name: string }[]).map((r) => r.name);
  await auth.client.toggleAdmin({ username: 'mapped' }, await asAdmin());
  expect(await roles()).toContain('admin');
  await auth.client.toggleVerified({ username: 'mapped' }, await asAdmin());
  expect(await realm.call('GET', `/users/${id}`)).toMatchObject({ emailVerified: true });
  await auth.client.toggleAdmin({ username: 'mapped' }, await asAdmin());
  expect(await roles()).not.toContain('admin');

  await realm.call('POST', '/groups', { name: 'organisers' });
  const [group] = (await realm.call('GET', '/groups?search=organisers')) as { id: string }[];
  await realm.call('POST', `/groups/${group?.id}/role-mappings/realm`, [await realm.call('GET', '/roles/admin')]);
  await realm.call('PUT', `/users/${id}/groups/${group?.id}`);
  const toggle = auth.client.toggleAdmin({ username: 'mapped', wanted: false }, await asAdmin());
  expect(await refusal(toggle)).toMatch(/^FAILED_PRECONDITION role-from-group/);
  expect((await login('mapped')).user).toMatchObject({ admin: true });
});

test('a session that is ended in Keycloak, and a user who is disabled or deleted there, are out at once', async () => {
  const { accessToken: first } = await auth.register('outsider');
  const id = await realm.idOf('outsider');
  await realm.call('POST', `/users/${id}/logout`);
  expect(await refusal(identify(first))).toBe(invalid);
  const { accessToken: second } = await login('outsider');
  await realm.call('PUT', `/users/${id}`, { enabled: false });
  expect(await refusal(identify(second))).toBe(invalid);
  expect(await refusal(login('outsider'))).toBe('UNAUTHENTICATED invalid-credentials: Invalid credentials');
  await realm.call('PUT', `/users/${id}`, { enabled: true });
  expect(await refusal(identify(second))).toBe('OK');
  await realm.call('DELETE', `/users/${id}`);
  expect(await refusal(identify(second))).toBe(invalid);
});

test('a user who is deleted here is deleted in Keycloak, and the name opens nothing even when it is made again there', async () => {
  await auth.register('phoenix');
  await auth.client.deleteUser({ username: 'phoenix' }, await asAdmin());
  await expect(realm.idOf('phoenix')).rejects.toThrow();
  const id = await realm.addUser('phoenix', goodPassword);
  expect(await refusal(login('phoenix'))).toMatch(
    /^PERMISSION_DENIED name-unusable: The username of your single sign-on/,
  );
  expect(await realm.call('GET', `/users/${id}/sessions`)).toEqual([]);
});

test('Keycloak itself refuses names that could not be used here', async () => {
  for (const username of ['house', 'deleted-0123abcd', 'pot-odds', 'a b c', 'al', 'x'.repeat(33)]) {
    await expect(realm.call('POST', '/users', { username, email: 'odd@example.com' }), username).rejects.toThrow(/400/);
  }
});

test("takes neither another client's token, nor an identity token, nor a service's own", async () => {
  await auth.register('clients');
  const other = await grantBy({ client_id: 'admin-cli' }, 'clients');
  const { clientId, clientSecret } = realm.settings;
  const ours = await grantBy({ client_id: clientId, client_secret: clientSecret }, 'clients');
  expect(await refusal(identify(ours.access_token ?? ''))).toBe('OK');
  for (const token of [other.access_token, ours.id_token]) expect(await refusal(identify(token ?? ''))).toBe(invalid);
});

test('a token that has expired is none', async () => {
  await auth.register('late');
  const client = await clientOf(realm.settings.clientId);
  const lasting = (seconds: string) => {
    const attributes = { ...client.attributes, 'access.token.lifespan': seconds };
    return realm.call('PUT', `/clients/${client.id}`, { ...client, attributes });
  };
  await lasting('2');
  const { accessToken, expiresIn } = await login('late');
  await lasting('43200');
  expect(expiresIn).toBe(2);
  await vi.waitFor(async () => expect(await refusal(identify(accessToken))).toBe(invalid), { timeout: 10_000 });
});

test("Keycloak's own protection from guesses is told as ours is", async () => {
  await auth.register('guarded');
  await realm.call('PUT', '', { failureFactor: 3 });
  for (let count = 0; count < 3; count++) await refusal(login('guarded', 'wrong password'));
  expect(await refusal(login('guarded'))).toMatch(/^RESOURCE_EXHAUSTED too-many-attempts: Too many attempts/);
  await realm.call('PUT', '', { failureFactor: 150 });
});

test('a registration that fails half-way leaves nobody in Keycloak', async () => {
  await auth.database.admin.query('ALTER TABLE mail_tokens RENAME TO mail_tokens_away');
  try {
    expect(await refusal(auth.register('half-made'))).toMatch(/^INTERNAL/);
  } finally {
    await auth.database.admin.query('ALTER TABLE mail_tokens_away RENAME TO mail_tokens');
  }
  await expect(realm.idOf('half-made')).rejects.toThrow('Keycloak has no half-made');
  expect(await refusal(auth.register('half-made'))).toBe('OK');
});

test('a name or address that only Keycloak knows is taken', async () => {
  await realm.addUser('elsewhere', 'a password of theirs');
  expect(await refusal(auth.register('Elsewhere'))).toMatch(/^ALREADY_EXISTS username-taken/);
  const form = { username: 'elsewhere2', email: 'ELSEWHERE@example.com', password: goodPassword };
  expect(await refusal(auth.client.register(form, { caller: anonymous }))).toMatch(/^ALREADY_EXISTS email-taken/);
});

test('the first administrator is made in Keycloak, verified and with the role', async () => {
  const id = await realm.idOf('root');
  expect(await realm.call('GET', `/users/${id}`)).toMatchObject({ emailVerified: true, email: 'admin@localhost' });
  expect((await login('root', adminPassword)).user).toMatchObject({ admin: true, isVerified: true });
});
