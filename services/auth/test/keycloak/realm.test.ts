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

/** Returns a token that one of the realm's clients issued. */
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

test('a user created in Keycloak gets a profile with the first call; later calls update it', async () => {
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

test('changes by admins are written to Keycloak; a role that comes from a group cannot be revoked', async () => {
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
  const toggle = auth.client.toggleAdmin({ username: 'mapped', value: false }, await asAdmin());
  expect(await refusal(toggle)).toMatch(/^FAILED_PRECONDITION role-from-group/);
  expect((await login('mapped')).user).toMatchObject({ admin: true });
});

test('a token is refused as soon as its session is ended or its user disabled or deleted in Keycloak', async () => {
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

test('a user deleted here is deleted in Keycloak, and a new Keycloak user with that name is refused', async () => {
  await auth.register('phoenix');
  await auth.client.deleteUser({ username: 'phoenix' }, await asAdmin());
  await expect(realm.idOf('phoenix')).rejects.toThrow();
  const id = await realm.addUser('phoenix', goodPassword);
  expect(await refusal(login('phoenix'))).toMatch(
    /^PERMISSION_DENIED name-unusable: The username of your single sign-on/,
  );
  expect(await realm.call('GET', `/users/${id}/sessions`)).toEqual([]);
});

test('Keycloak refuses names that auth would refuse', async () => {
  for (const username of ['house', 'deleted-0123abcd', 'pot-odds', 'a b c', 'al', 'x'.repeat(33)]) {
    await expect(realm.call('POST', '/users', { username, email: 'odd@example.com' }), username).rejects.toThrow(/400/);
  }
});

test('a user of the realm whose name looks like staff is refused, unless they are an admin there', async () => {
  const id = await realm.addUser('husky-support', goodPassword);
  expect(await refusal(login('husky-support'))).toMatch(/^PERMISSION_DENIED name-unusable/);
  await realm.setAdmin(id, true);
  expect((await login('husky-support')).user).toMatchObject({ username: 'husky-support', admin: true });
});

test('an address with an international domain in Keycloak is stored in ASCII, once', async () => {
  const id = await realm.addUser('leser', goodPassword);
  await realm.call('PUT', `/users/${id}`, { email: 'leser@bücher.example', emailVerified: true });
  for (let count = 0; count < 2; count++)
    expect((await login('leser')).user).toMatchObject({ email: 'leser@xn--bcher-kva.example' });
  const { records } = await auth.client.listAudit({ action: 'user.email_changed', q: 'leser' }, await asAdmin());
  expect(records).toEqual([]);
  const form = { username: 'leser-two', email: 'leser@xn--bcher-kva.example', password: goodPassword };
  expect(await refusal(auth.client.register(form, { caller: anonymous }))).toMatch(/^ALREADY_EXISTS email-taken/);
});

test("refuses a token of another client, an ID token and a service account's token", async () => {
  await auth.register('clients');
  const other = await grantBy({ client_id: 'admin-cli' }, 'clients');
  const { clientId, clientSecret } = realm.settings;
  const ours = await grantBy({ client_id: clientId, client_secret: clientSecret }, 'clients');
  expect(await refusal(identify(ours.access_token ?? ''))).toBe('OK');
  for (const token of [other.access_token, ours.id_token]) expect(await refusal(identify(token ?? ''))).toBe(invalid);
});

test('refuses an expired token', async () => {
  await auth.register('late');
  const client = await clientOf(realm.settings.clientId);
  const setTokenLifetime = (seconds: string) => {
    const attributes = { ...client.attributes, 'access.token.lifespan': seconds };
    return realm.call('PUT', `/clients/${client.id}`, { ...client, attributes });
  };
  await setTokenLifetime('2');
  const { accessToken, expiresIn } = await login('late');
  await setTokenLifetime('43200');
  expect(auth.lifetimes(2)).toContain(expiresIn);
  await vi.waitFor(async () => expect(await refusal(identify(accessToken))).toBe(invalid), { timeout: 10_000 });
});

test("Keycloak's brute-force protection is reported like auth's rate limit", async () => {
  await auth.register('guarded');
  await realm.call('PUT', '', { failureFactor: 3 });
  for (let count = 0; count < 3; count++) await refusal(login('guarded', 'wrong password'));
  expect(await refusal(login('guarded'))).toMatch(/^RESOURCE_EXHAUSTED too-many-attempts: Too many attempts/);
  await realm.call('PUT', '', { failureFactor: 2500 });
});

test('a registration that fails after the user was created deletes the user from Keycloak', async () => {
  await auth.database.admin.query('ALTER TABLE mail_tokens RENAME TO mail_tokens_away');
  try {
    expect(await refusal(auth.register('half-made'))).toMatch(/^INTERNAL/);
  } finally {
    await auth.database.admin.query('ALTER TABLE mail_tokens_away RENAME TO mail_tokens');
  }
  await expect(realm.idOf('half-made')).rejects.toThrow('Keycloak has no half-made');
  expect(await refusal(auth.register('half-made'))).toBe('OK');
});

test('refuses to register a name or address that exists only in Keycloak', async () => {
  await realm.addUser('elsewhere', 'a password of theirs');
  expect(await refusal(auth.register('Elsewhere'))).toMatch(/^ALREADY_EXISTS username-taken/);
  const form = { username: 'elsewhere2', email: 'ELSEWHERE@example.com', password: goodPassword };
  expect(await refusal(auth.client.register(form, { caller: anonymous }))).toMatch(/^ALREADY_EXISTS email-taken/);
});

test('the first admin is created in Keycloak, verified and with the role', async () => {
  const id = await realm.idOf('root');
  expect(await realm.call('GET', `/users/${id}`)).toMatchObject({ emailVerified: true, email: 'admin@localhost' });
  expect((await login('root', adminPassword)).user).toMatchObject({ admin: true, isVerified: true });
});
