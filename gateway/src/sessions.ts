import { createHash } from 'node:crypto';
import type { authService } from '@husky/contracts/services';
import type { ApiToken__Output } from '@husky/contracts/types/auth/v1/ApiToken';
import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import { ExpiringCache } from '@husky/runtime/process/expiring-cache';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';

type AuthClient = RpcClient<NonNullable<(typeof authService)['definition']>>;

/** A valid access token of a program and its user. */
export interface ApiTokenBearer {
  readonly user: User__Output;
  readonly token: ApiToken__Output;
  readonly scopes: readonly string[];
}

/** Looks up the users of session tokens and access tokens. Caches the results for 2 s. */
export interface Sessions {
  /** Returns the user of a token of either kind; undefined if auth refuses it. Throws UNAVAILABLE while auth is unavailable. */
  identify(token: string): Promise<User__Output | undefined>;
  /** Returns the bearer of an access token. Throws UNAUTHENTICATED if it is expired, revoked or unknown, and UNAVAILABLE as above. */
  identifyApiToken(token: string): Promise<ApiTokenBearer>;
  /** Returns the account of a token that auth has accepted within the last 15 minutes. Grants nothing: only shares of limits depend on it. */
  recentAccount(token: string): string | undefined;
  /** Notes a token that auth has just issued as such a token. */
  noteAccount(token: string, account: string): void;
  /** Removes a user from the cache after a change of role, a sign-out, a revocation or a deletion. */
  forget(userId: string): void;
}

/** The result of a look-up: a user with an access token or without, or auth's refusal. */
interface Identity {
  readonly user?: User__Output;
  readonly token?: ApiToken__Output;
  readonly refusal?: DomainError;
}

/** Returns whether a bearer token has the form of a program's access token. Session tokens are JWTs. */
export const isApiToken = (token: string): boolean => token.startsWith('husky_');

// If the event of a revocation is lost, the token still works for this time.
const cacheMs = 2000;
const maxCached = 10_000;
const recentMs = 15 * 60_000;

export function createSessions(auth: AuthClient): Sessions {
  const cache = new ExpiringCache<{ identity: Promise<Identity>; userId: string }>({ max: maxCached, ttl: cacheMs });

  const recent = new ExpiringCache<{ readonly account: string }>({
    max: maxCached,
    ttl: recentMs,
    updateAgeOnGet: false,
  });
  const keyOf = (token: string) => createHash('sha256').update(token).digest('base64url');

  async function fetchIdentity(token: string): Promise<Identity> {
    const options = { caller: { kind: 'anonymous' } } as const;
    try {
      if (!isApiToken(token)) return { user: await auth.identify({ accessToken: token }, options) };
      const { user, token: apiToken } = await auth.identifyApiToken({ secret: token }, options);
      if (!user || !apiToken) throw new Error('auth returned an access token without its user');
      // A program never has its user's admin rights.
      return { user: { ...user, admin: false }, token: apiToken };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return { refusal: error };
      throw error;
    }
  }

  async function find(token: string): Promise<Identity> {
    const key = keyOf(token);
    const hit = cache.get(key);
    if (hit) return hit.identity;
    const entry = { identity: fetchIdentity(token), userId: '' };
    cache.set(key, entry);
    try {
      const identity = await entry.identity;
      entry.userId = identity.user?.id ?? '';
      if (entry.userId !== '') recent.set(key, { account: entry.userId });
      else if (recent.has(key)) recent.delete(key);
      return identity;
    } catch (error) {
      cache.delete(key);
      throw error;
    }
  }

  return {
    identify: async (token) => (await find(token)).user,
    async identifyApiToken(secret) {
      const { user, token, refusal } = await find(secret);
      if (!user || !token) throw refusal ?? new DomainError('UNAUTHENTICATED', 'bad-token', 'Invalid token');
      return { user, token, scopes: token.scopes };
    },
    noteAccount: (token, account) => void recent.set(keyOf(token), { account }),
    recentAccount: (token) => recent.get(keyOf(token))?.account,
    forget(userId) {
      for (const [key, entry] of cache) {
        if (entry.userId === userId || entry.userId === '') cache.delete(key);
      }
    },
  };
}
