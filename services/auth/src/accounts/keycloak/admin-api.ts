import type { Logger } from '@husky/runtime/process/logger';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { emailTaken } from '../../domain/email.ts';
import { userNotFound, usernameTaken } from '../../domain/username.ts';
import { type HttpRequest, type HttpResponse, identityUnavailable, type KeycloakHttp } from './http.ts';
import { type KeycloakSettings, protocolUrl } from './settings.ts';

export interface RealmUser {
  readonly id: string;
  readonly username: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly enabled?: boolean;
  /** Milliseconds since the epoch. */
  readonly createdTimestamp?: number;
}

export interface RealmSession {
  readonly id: string;
  readonly ipAddress: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
}

export interface NewRealmUser {
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly password: string;
}

/** The calls of Keycloak's admin API that auth needs, as its service account. */
export interface AdminApi {
  /** Returns the new user's id; throws ALREADY_EXISTS for a taken name or address. */
  createUser(user: NewRealmUser): Promise<string>;
  user(id: string): Promise<RealmUser | undefined>;
  find(username: string): Promise<RealmUser | undefined>;
  users(first: number, max: number): Promise<RealmUser[]>;
  updateUser(id: string, change: { readonly email?: string; readonly emailVerified?: boolean }): Promise<void>;
  /** Idempotent. */
  deleteUser(id: string): Promise<void>;
  setPassword(id: string, password: string): Promise<void>;

  /** Whether the user has the role admin, directly or through a group or another role. */
  isAdmin(id: string): Promise<boolean>;
  setAdmin(id: string, admin: boolean): Promise<void>;
  /** Returns the ids of users who have the role admin directly. */
  admins(): Promise<Set<string>>;

  sessions(userId: string): Promise<RealmSession[]>;
  endSession(id: string): Promise<void>;
  endAllSessions(userId: string): Promise<void>;

  /** Returns until when the user is locked out for wrong passwords, in ms since the epoch; 0 when not locked. */
  lockedUntil(userId: string): Promise<number>;
}

const pageSize = 200;
/** Beyond every lock, in seconds since the epoch. */
const endOfTimeS = 2 ** 40;

export function createAdminApi(settings: KeycloakSettings, http: KeycloakHttp, log: Logger): AdminApi {
  const root = `${settings.internalUrl}/admin/realms/${encodeURIComponent(settings.realm)}`;
  let ownToken: { readonly value: Promise<string>; readonly untilMs: number } | undefined;
  let role: Promise<object> | undefined;

  async function newToken(): Promise<string> {
    const { clientId, clientSecret } = settings;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { status, body } = await http.send(protocolUrl(settings, 'token'), { method: 'POST', form });
    const { access_token: token } = (body ?? {}) as { access_token?: string };
    if (status !== 200 || !token) {
      log.error({ clientId, status, body }, 'Keycloak rejects our client');
      throw identityUnavailable();
    }
    return token;
  }

  function token(): Promise<string> {
    if (!ownToken || ownToken.untilMs < performance.now()) {
      const value = newToken();
      ownToken = { value, untilMs: performance.now() + 60_000 };
      value.catch(() => {
        ownToken = undefined;
      });
    }
    return ownToken.value;
  }

  async function call(path: string, request: HttpRequest = {}): Promise<HttpResponse> {
    const response = await http.send(root + path, { ...request, token: await token() });
    if (response.status !== 401) return response;
    // Keycloak may have been restarted with other keys.
    ownToken = undefined;
    return http.send(root + path, { ...request, token: await token() });
  }

  /** Throws unless a call succeeded: NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT, otherwise UNAVAILABLE. */
  function expectOk(what: string, { status, body }: HttpResponse): void {
    if (status < 300) return;
    if (status === 404) throw userNotFound();
    if (status === 409) throw emailTaken();
    if (status === 400) throw refusalOf(body);
    log.error({ status, body }, `Keycloak refuses to ${what}`);
    throw identityUnavailable();
  }

  async function list<T>(what: string, path: string): Promise<T[]> {
    const response = await call(path);
    if (response.status === 404) return [];
    expectOk(what, response);
    return response.body as T[];
  }

  async function adminRole(): Promise<object> {
    const response = await call('/roles/admin');
    expectOk('read the role admin', response);
    return response.body as object;
  }

  async function find(username: string): Promise<RealmUser | undefined> {
    const path = `/users?exact=true&username=${encodeURIComponent(username)}`;
    return (await list<RealmUser>('find users', path))[0];
  }

  const userPath = (id: string) => `/users/${encodeURIComponent(id)}`;

  return {
    async createUser({ username, email, emailVerified, password }) {
      const credentials = [{ type: 'password', value: password, temporary: false }];
      const json = { username, email, emailVerified, enabled: true, credentials };
      const response = await call('/users', { method: 'POST', json });
      // Keycloak names one of the two when both are taken, and either one for concurrent requests.
      if (response.status === 409) throw (await find(username)) ? usernameTaken() : emailTaken();
      expectOk('create users', response);
      const id = response.location.split('/').at(-1) ?? '';
      if (isUuid(id)) return id;
      log.error({ status: response.status }, 'Keycloak returned no id of the new user');
      throw identityUnavailable();
    },
    async user(id) {
      const response = await call(userPath(id));
      if (response.status === 404) return undefined;
      expectOk('read users', response);
      return response.body as RealmUser;
    },
    find,
    users: (first, max) => list('list users', `/users?briefRepresentation=true&first=${first}&max=${max}`),
    async updateUser(id, change) {
      expectOk('change users', await call(userPath(id), { method: 'PUT', json: change }));
    },
    async deleteUser(id) {
      const response = await call(userPath(id), { method: 'DELETE' });
      if (response.status !== 404) expectOk('delete users', response);
    },
    async setPassword(id, password) {
      const json = { type: 'password', value: password, temporary: false };
      expectOk('set passwords', await call(`${userPath(id)}/reset-password`, { method: 'PUT', json }));
    },

    async isAdmin(id) {
      const path = `${userPath(id)}/role-mappings/realm/composite`;
      return (await list<{ name: string }>('read roles', path)).some(({ name }) => name === 'admin');
    },
    async setAdmin(id, admin) {
      role ??= adminRole();
      role.catch(() => {
        role = undefined;
      });
      const request = { method: admin ? 'POST' : 'DELETE', json: [await role] } as const;
      expectOk('change roles', await call(`${userPath(id)}/role-mappings/realm`, request));
    },
    async admins() {
      const ids = new Set<string>();
      for (let first = 0; ; first += pageSize) {
        const page = await list<RealmUser>('list admins', `/roles/admin/users?first=${first}&max=${pageSize}`);
        for (const { id } of page) ids.add(id);
        if (page.length < pageSize) return ids;
      }
    },

    sessions: (userId) => list('list sessions', `${userPath(userId)}/sessions`),
    async endSession(id) {
      const response = await call(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
      if (response.status !== 404) expectOk('end sessions', response);
    },
    async endAllSessions(userId) {
      expectOk('end sessions', await call(`${userPath(userId)}/logout`, { method: 'POST' }));
    },

    async lockedUntil(userId) {
      const { status, body } = await call(`/attack-detection/brute-force/users/${encodeURIComponent(userId)}`);
      const { disabled, failedLoginNotBefore = 0 } = (body ?? {}) as {
        disabled?: boolean;
        failedLoginNotBefore?: number;
      };
      // The largest number means that it still checks another sign-in of the user.
      const isLocked = status === 200 && disabled === true && failedLoginNotBefore < endOfTimeS;
      return isLocked ? failedLoginNotBefore * 1000 : 0;
    },
  };
}

/** The error for details that pass our rules but not Keycloak's. */
function refusalOf(body: unknown): DomainError {
  const {
    field,
    error = '',
    errorMessage = '',
  } = (body ?? {}) as Partial<Record<'field' | 'error' | 'errorMessage', string>>;
  if (`${error}${errorMessage}`.includes('invalidPassword')) {
    const message = 'This password is too easy to guess. Choose another one';
    return new DomainError('INVALID_ARGUMENT', 'password-refused', message);
  }
  if (field === 'email' || errorMessage.includes('email')) {
    return new DomainError('INVALID_ARGUMENT', 'email-invalid', 'Please give a valid e-mail address');
  }
  return new DomainError('INVALID_ARGUMENT', 'account-refused', 'The identity service does not accept these details');
}
