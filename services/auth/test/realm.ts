import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import { fillIn, platformClient, realmFile, webClient } from '../../../scripts/keycloak/realm.ts';
import type { KeycloakSettings } from '../src/accounts/keycloak/settings.ts';
import type { TestKeycloak } from './keycloak-setup.ts';

/** A realm in the run's Keycloak, created from the realm file for one test file, and functions of its administrator. */
export interface TestRealm {
  readonly settings: KeycloakSettings;
  /** Creates a user as Keycloak's own pages do, and returns the id. */
  addUser(username: string, password: string): Promise<string>;
  idOf(username: string): Promise<string>;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  setAdmin(userId: string, admin: boolean): Promise<void>;
  drop(): Promise<void>;
}

/** Returns the run's Keycloak; undefined when the suite runs in the mode `own`. */
export const keycloakOfRun = (): TestKeycloak | undefined => inject('testKeycloak');

async function adminToken({ url, adminUser, adminPassword }: TestKeycloak): Promise<string> {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: adminUser, password: adminPassword };
  const path = '/realms/master/protocol/openid-connect/token';
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(form) });
  return ((await response.json()) as { access_token: string }).access_token;
}

export async function testRealm(keycloak: TestKeycloak): Promise<TestRealm> {
  const realm = `test-${randomBytes(4).toString('hex')}`;
  const clientSecret = randomBytes(12).toString('hex');
  // A new token for each request: the administrator's tokens are valid for a minute.
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${keycloak.url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${await adminToken(keycloak)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const variables = { HUSKY_PUBLIC_URL: 'http://husky.test', HUSKY_PLATFORM_SECRET: clientSecret };
  const file = JSON.parse(fillIn(readFileSync(realmFile, 'utf8'), variables)) as { readonly passwordPolicy: string };
  // Cheap hashes, as in the mode `own`.
  const passwordPolicy = `${file.passwordPolicy} and hashAlgorithm(pbkdf2-sha256) and hashIterations(1000)`;
  await send('POST', '', { ...file, realm, passwordPolicy });

  const call = (method: string, path: string, body?: unknown) => send(method, `/${realm}${path}`, body);
  const idOf = async (username: string) => {
    const [user] = (await call('GET', `/users?username=${username}&exact=true`)) as { id: string }[];
    if (!user) throw new Error(`Keycloak has no ${username}`);
    return user.id;
  };
  const { url } = keycloak;
  return {
    settings: { url, internalUrl: url, realm, clientId: platformClient, clientSecret, webClientId: webClient },
    call,
    idOf,
    async addUser(username, password) {
      const credentials = [{ type: 'password', value: password, temporary: false }];
      await call('POST', '/users', { username, email: `${username}@example.com`, enabled: true, credentials });
      return idOf(username);
    },
    async setAdmin(userId, admin) {
      const role = await call('GET', '/roles/admin');
      await call(admin ? 'POST' : 'DELETE', `/users/${userId}/role-mappings/realm`, [role]);
    },
    drop: async () => void (await send('DELETE', `/${realm}`)),
  };
}
