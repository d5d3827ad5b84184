// Actions of a Keycloak administrator, through the admin API.
import { inject } from 'vitest';
import { password } from '../world.ts';

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
}

interface Client {
  readonly id: string;
  readonly attributes: Record<string, string>;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url, realm, adminUser, adminPassword } = inject('keycloak');
  const login = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: adminUser,
      password: adminPassword,
    }),
  });
  const { access_token } = (await login.json()) as { access_token: string };
  const response = await fetch(`${url}/admin/realms/${realm}${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Keycloak refused ${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export async function findPerson(username: string): Promise<Person> {
  const [found] = await call<{ id: string }[]>('GET', `/users?exact=true&username=${username}`);
  if (!found) throw new Error(`Keycloak has no user ${username}`);
  return { id: found.id, username, password };
}

/** Creates a user in Keycloak; the platform does not know it before the first sign-in. */
export async function createPerson(name: string): Promise<Person> {
  const username = `${name}-${process.pid}`;
  await call('POST', '/users', {
    username,
    email: `${username}@test.invalid`,
    emailVerified: true,
    enabled: true,
    firstName: 'Test',
    lastName: 'Person',
    credentials: [{ type: 'password', value: password }],
  });
  return findPerson(username);
}

const adminRole = () => call<object>('GET', '/roles/admin');
const rolesOf = ({ id }: Person) => `/users/${id}/role-mappings/realm`;
export const makeAdmin = async (person: Person) => call('POST', rolesOf(person), [await adminRole()]);
export const revokeAdmin = async (person: Person) => call('DELETE', rolesOf(person), [await adminRole()]);
export const disable = ({ id }: Person) => call('PUT', `/users/${id}`, { enabled: false });
export const verifyAddress = ({ id }: Person) => call('PUT', `/users/${id}`, { emailVerified: true });
export const remove = ({ id }: Person) => call('DELETE', `/users/${id}`);
export const endSessions = ({ id }: Person) => call('POST', `/users/${id}/logout`);
export const sessionsOf = ({ id }: Person) => call<object[]>('GET', `/users/${id}/sessions`);

/** Sets the lifetime of new access tokens in seconds and returns the previous one. */
export async function setTokenLifespan(seconds: number): Promise<number> {
  const [client] = await call<Client[]>('GET', `/clients?clientId=${inject('keycloak').clientId}`);
  if (!client) throw new Error('Keycloak has no client for the site');
  const attributes = { ...client.attributes, 'access.token.lifespan': String(seconds) };
  await call('PUT', `/clients/${client.id}`, { ...client, attributes });
  return Number(client.attributes['access.token.lifespan']);
}
