import { DomainError } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import { LRUCache } from 'lru-cache';
import type { Seen } from '../../store/sights.ts';
import { identityAway, type KeycloakHttp } from './http.ts';
import { type KeycloakSettings, protocolUrl } from './settings.ts';

export interface Grant {
  readonly accessToken: string;
  readonly expiresInS: number;
}

/** The realm's OpenID Connect calls that people's sign-ins need. */
export interface SignIn {
  /** A new session by name and password; undefined: wrong, unknown, disabled or locked, which Keycloak tells apart for nobody. */
  grant(username: string, password: string): Promise<Grant | undefined>;
  /** Who the bearer is at this moment; undefined when the session has ended or the user is disabled or gone. */
  userInfo(token: string): Promise<Seen | undefined>;
}

const justNowMs = 3000;
const givenUpMs = 600_000;
const peaceMs = 500;
const mostBusy = 10_000;

interface TokenAnswer {
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly error?: string;
  readonly error_description?: string;
}

/** Who a token or userinfo is about. */
export function seenIn(claims: Readonly<Record<string, unknown>>): Seen {
  const { sub, preferred_username: username, email, email_verified: verified, roles } = claims;
  return {
    id: String(sub),
    username: typeof username === 'string' ? username : '',
    email: typeof email === 'string' && email !== '' ? email : null,
    verified: verified === true,
    admin: Array.isArray(roles) && roles.includes('admin'),
  };
}

export function createSignIn(settings: KeycloakSettings, http: KeycloakHttp, log: Logger): SignIn {
  const { clientId, clientSecret } = settings;
  const inTurn = new Map<string, Promise<Grant | undefined>>();
  /** Names of which Keycloak may have more sign-ins under way. */
  const busy = new LRUCache<string, true>({ max: mostBusy });

  // Its brute-force protection refuses a sign-in while another one of the same user is being checked, in the same words as
  // a wrong password: one that has just been answered, or that it takes up after we gave it up for its slowness.
  async function grantInPeace(name: string, username: string, password: string): Promise<Grant | undefined> {
    try {
      const grant = await grantNow(username, password);
      const disturbed = busy.has(name);
      // Never after wrong ones: each would count twice there, and guesses of strangers lock the user out.
      busy.delete(name);
      if (grant) busy.set(name, true, { ttl: justNowMs });
      if (grant || !disturbed) return grant;
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'identity-away') busy.set(name, true, { ttl: givenUpMs });
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, peaceMs));
    return grantNow(username, password);
  }

  return {
    grant(username, password) {
      const name = username.toLowerCase();
      const before = inTurn.get(name) ?? Promise.resolve(undefined);
      const mine = before.catch(() => undefined).then(() => grantInPeace(name, username, password));
      inTurn.set(name, mine);
      const done = () => {
        if (inTurn.get(name) === mine) inTurn.delete(name);
      };
      mine.then(done, done);
      return mine;
    },
    async userInfo(token) {
      const { status, body } = await http.send(protocolUrl(settings, 'userinfo'), { token });
      const answer = (body ?? {}) as Record<string, unknown>;
      if (status === 200 && typeof answer.sub === 'string') return seenIn(answer);
      if (status === 401 || answer.error === 'insufficient_scope') return undefined;
      // A realm that is switched off, or a proxy in front of it: nobody's session has ended by that.
      log.error(`Keycloak's userinfo answers ${status} ${JSON.stringify(body)}`);
      throw identityAway();
    },
  };

  async function grantNow(username: string, password: string): Promise<Grant | undefined> {
    const client = { client_id: clientId, client_secret: clientSecret };
    const form = { grant_type: 'password', scope: 'openid', username, password, ...client };
    const { status, body } = await http.send(protocolUrl(settings, 'token'), { method: 'POST', form });
    const answer = (body ?? {}) as TokenAnswer;
    if (status === 200 && answer.access_token) {
      return { accessToken: answer.access_token, expiresInS: answer.expires_in ?? 0 };
    }
    if (answer.error !== 'invalid_grant') {
      log.error(`Keycloak refuses our client ${clientId}: ${status} ${answer.error} ${answer.error_description ?? ''}`);
      throw identityAway();
    }
    if (answer.error_description === 'Account is not fully set up') {
      const message = 'Your account still needs something from you: please use single sign-on once';
      throw new DomainError('UNAUTHENTICATED', 'account-incomplete', message);
    }
    return undefined;
  }
}
