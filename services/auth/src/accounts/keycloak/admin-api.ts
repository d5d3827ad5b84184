import { DomainError } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import { isUuid } from '@husky/runtime/uuid';
import { emailTaken } from '../../domain/email.ts';
import { userNotFound, usernameTaken } from '../../domain/username.ts';
import { type Answer, identityAway, type KeycloakHttp, type Sent } from './http.ts';
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

/** The part of Keycloak's admin API that we need, as our service account. */
export interface AdminApi {
  /** Answers the new user's id; a taken name or address is ALREADY_EXISTS. */
  createUser(user: NewRealmUser): Promise<string>;
  user(id: string): Promise<RealmUser | undefined>;
  find(username: string): Promise<RealmUser | undefined>;
  users(first: number, max: number): Promise<RealmUser[]>;
  updateUser(id: string, change: { readonly email?: string; readonly emailVerified?: boolean }): Promise<void>;
  /** No error when there is none. */
  deleteUser(id: string): Promise<void>;
  setPassword(id: string, password: string): Promise<void>;

  /** Whether the user has the role, by itself or through a group or another role. */
  isAdmin(id: string): Promise<boolean>;
  setAdmin(id: string, admin: boolean): Promise<void>;
  /** Ids of those who have the role by itself. */
  admins(): Promise<Set<string>>;

  sessions(userId: string): Promise<RealmSession[]>;
  endSession(id: string): Promise<void>;
  endAllSessions(userId: string): Promise<void>;

  /** Until when too many wrong passwords keep the user out, in ms since the epoch; 0: not at all. */
  lockedUntil(userId: string): Promise<number>;
}

const pageSize = 200;

export function createAdminApi(settings: KeycloakSettings, http: KeycloakHttp, log: Logger): AdminApi {
  const root = `${settings.internalUrl}/admin/realms/${encodeURIComponent(settings.realm)}`;
  let ownToken: { readonly value: Promise<string>; readonly until: number } | undefined;
  let role: Promise<object> | undefined;

  async function newToken(): Promise<string> {
    const { clientId, clientSecret } = settings;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { status, body } = await http.send(protocolUrl(settings, 'token'), { method: 'POST', form });
    const { access_token: token } = (body ?? {}) as { access_token?: string };
    if (status !== 200 || !token) {
      log.error(`Keycloak refuses our client ${clientId}: ${status} ${JSON.stringify(body)}`);
      throw identityAway();
    }
    return token;
  }

  function token(): Promise<string> {
    if (!ownToken || ownToken.until < Date.now()) {
      const value = newToken();
      ownToken = { value, until: Date.now() + 60_000 };
      value.catch(() => {
        ownToken = undefined;
      });
    }
    return ownToken.value;
  }

  async function ask(path: string, sent: Sent = {}): Promise<Answer> {
    const answer = await http.send(root + path, { ...sent, token: await token() });
    if (answer.status !== 401) return answer;
    // Keycloak may have been started anew with other keys.
    ownToken = undefined;
    return http.send(root + path, { ...sent, token: await token() });
  }

  /** What a call answered that had to succeed; NOT_FOUND for a user who is not there. */
  function expectOk(what: string, { status, body }: Answer): void {
    if (status < 300) return;
    if (status === 404) throw userNotFound();
    if (status === 409) throw emailTaken();
    if (status === 400) throw refusalOf(body);
    log.error(`Keycloak does not let us ${what}: ${status} ${JSON.stringify(body)}`);
    throw identityAway();
  }

  async function list<T>(what: string, path: string): Promise<T[]> {
    const answer = await ask(path);
    if (answer.status === 404) return [];
    expectOk(what, answer);
    return answer.body as T[];
  }

  async function adminRole(): Promise<object> {
    const answer = await ask('/roles/admin');
    expectOk('read the role admin', answer);
    return answer.body as object;
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
      const answer = await ask('/users', { method: 'POST', json });
      // Keycloak tells of one only when both are taken, and of either when two come at once.
      if (answer.status === 409) throw (await find(username)) ? usernameTaken() : emailTaken();
      expectOk('make users', answer);
      const id = answer.location.split('/').at(-1) ?? '';
      if (isUuid(id)) return id;
      log.error(`Keycloak answers ${answer.status} where it makes users`);
      throw identityAway();
    },
    async user(id) {
      const answer = await ask(userPath(id));
      if (answer.status === 404) return undefined;
      expectOk('read users', answer);
      return answer.body as RealmUser;
    },
    find,
    users: (first, max) => list('list users', `/users?briefRepresentation=true&first=${first}&max=${max}`),
    async updateUser(id, change) {
      expectOk('change users', await ask(userPath(id), { method: 'PUT', json: change }));
    },
    async deleteUser(id) {
      const answer = await ask(userPath(id), { method: 'DELETE' });
      if (answer.status !== 404) expectOk('delete users', answer);
    },
    async setPassword(id, password) {
      const json = { type: 'password', value: password, temporary: false };
      expectOk('set passwords', await ask(`${userPath(id)}/reset-password`, { method: 'PUT', json }));
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
      const sent = { method: admin ? 'POST' : 'DELETE', json: [await role] } as const;
      expectOk('change roles', await ask(`${userPath(id)}/role-mappings/realm`, sent));
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
      const answer = await ask(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
      if (answer.status !== 404) expectOk('end sessions', answer);
    },
    async endAllSessions(userId) {
      expectOk('end sessions', await ask(`${userPath(userId)}/logout`, { method: 'POST' }));
    },

    async lockedUntil(userId) {
      const { status, body } = await ask(`/attack-detection/brute-force/users/${encodeURIComponent(userId)}`);
      const { disabled, failedLoginNotBefore = 0 } = (body ?? {}) as {
        disabled?: boolean;
        failedLoginNotBefore?: number;
      };
      return status === 200 && disabled === true ? failedLoginNotBefore * 1000 : 0;
    },
  };
}

/** What Keycloak does not take although we would. */
function refusalOf(body: unknown): DomainError {
  const {
    field,
    error = '',
    errorMessage = '',
  } = (body ?? {}) as {
    field?: string;
    error?: string;
    errorMessage?: string;
  };
  if (`${error}${errorMessage}`.includes('invalidPassword')) {
    const message = 'This password is too easy to guess. Choose another one';
    return new DomainError('INVALID_ARGUMENT', 'password-refused', message);
  }
  if (field === 'email' || errorMessage.includes('email')) {
    return new DomainError('INVALID_ARGUMENT', 'email-invalid', 'Please give a valid e-mail address');
  }
  return new DomainError('INVALID_ARGUMENT', 'account-refused', 'The identity service does not take these details');
}
