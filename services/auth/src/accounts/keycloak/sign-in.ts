import type { Logger } from '@husky/runtime/process/logger';
import { DomainError } from '@husky/runtime/rpc/errors';
import { LRUCache } from 'lru-cache';
import type { ExternalIdentity } from '../../store/identity-sync.ts';
import { identityUnavailable, type KeycloakHttp } from './http.ts';
import { type KeycloakSettings, protocolUrl } from './settings.ts';

export interface Grant {
  readonly accessToken: string;
  readonly expiresInS: number;
}

/** The realm's OpenID Connect calls for signing in and identifying users. */
export interface RealmSignIn {
  /** Starts a session by name and password; undefined when Keycloak refuses, for whichever reason. Sequential per name. */
  grant(username: string, password: string): Promise<Grant | undefined>;
  /** Returns the token's user as they are now; undefined when the session has ended or the user is disabled or deleted. */
  userInfo(token: string): Promise<ExternalIdentity | undefined>;
}

const recentGrantMs = 3000;
const abandonedGrantMs = 600_000;
const retryDelayMs = 500;
const maxBusyNames = 10_000;

interface TokenResponse {
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly error?: string;
  readonly error_description?: string;
}

/** Reads the user from the claims of an access token or of userinfo. */
export function identityFromClaims(claims: Readonly<Record<string, unknown>>): ExternalIdentity {
  const { sub, preferred_username: username, email, email_verified: verified, roles } = claims;
  return {
    id: String(sub),
    username: typeof username === 'string' ? username : '',
    email: typeof email === 'string' && email !== '' ? email : null,
    verified: verified === true,
    admin: Array.isArray(roles) && roles.includes('admin'),
  };
}

export function createRealmSignIn(settings: KeycloakSettings, http: KeycloakHttp, log: Logger): RealmSignIn {
  const { clientId, clientSecret } = settings;
  /** The last grant in progress by name. */
  const inProgress = new Map<string, Promise<Grant | undefined>>();
  /** Names that Keycloak may still be checking another sign-in for. */
  const busyNames = new LRUCache<string, true>({ max: maxBusyNames });

  // Keycloak's brute-force protection refuses a sign-in, like a wrong password, while it checks another one of the same
  // user: one that has just succeeded, or one that we abandoned for its slowness. Such a refusal is retried once.
  async function retryGrant(name: string, username: string, password: string): Promise<Grant | undefined> {
    try {
      const grant = await requestGrant(username, password);
      const wasBusy = busyNames.has(name);
      // No retry after a wrong password: Keycloak would count each guess twice, and a stranger could lock the user out sooner.
      busyNames.delete(name);
      if (grant) busyNames.set(name, true, { ttl: recentGrantMs });
      if (grant || !wasBusy) return grant;
    } catch (error) {
      const abandoned = error instanceof DomainError && error.reason === 'identity-away';
      if (abandoned) busyNames.set(name, true, { ttl: abandonedGrantMs });
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    return requestGrant(username, password);
  }

  async function requestGrant(username: string, password: string): Promise<Grant | undefined> {
    const client = { client_id: clientId, client_secret: clientSecret };
    const form = { grant_type: 'password', scope: 'openid', username, password, ...client };
    const { status, body } = await http.send(protocolUrl(settings, 'token'), { method: 'POST', form });
    const response = (body ?? {}) as TokenResponse;
    if (status === 200 && response.access_token) {
      return { accessToken: response.access_token, expiresInS: response.expires_in ?? 0 };
    }
    if (response.error !== 'invalid_grant') {
      const { error, error_description: description } = response;
      log.error({ clientId, status, error, description }, 'Keycloak rejects our client');
      throw identityUnavailable();
    }
    if (response.error_description === 'Account is not fully set up') {
      const message = 'Your account setup is not complete: please sign in once with single sign-on';
      throw new DomainError('UNAUTHENTICATED', 'account-incomplete', message);
    }
    return undefined;
  }

  return {
    grant(username, password) {
      const name = username.toLowerCase();
      const previous = inProgress.get(name) ?? Promise.resolve(undefined);
      const current = previous.catch(() => undefined).then(() => retryGrant(name, username, password));
      inProgress.set(name, current);
      const clear = () => {
        if (inProgress.get(name) === current) inProgress.delete(name);
      };
      current.then(clear, clear);
      return current;
    },
    async userInfo(token) {
      const { status, body } = await http.send(protocolUrl(settings, 'userinfo'), { token });
      const claims = (body ?? {}) as Record<string, unknown>;
      if (status === 200 && typeof claims.sub === 'string') return identityFromClaims(claims);
      if (status === 401 || claims.error === 'insufficient_scope') return undefined;
      // The realm is disabled, or a proxy responded. Neither means that the session has ended.
      log.error({ status, body }, 'unexpected response of Keycloak userinfo');
      throw identityUnavailable();
    },
  };
}
