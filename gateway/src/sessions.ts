import { createHash } from 'node:crypto';
import type { authService } from '@husky/contracts/services';
import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import { DomainError } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import { LRUCache } from 'lru-cache';

type AuthClient = RpcClient<NonNullable<(typeof authService)['definition']>>;

/** Looks up the users of access tokens, with a cache of 2 s. */
export interface Sessions {
  /** Returns the token's user, or undefined when auth refuses the token. Throws UNAVAILABLE without auth. */
  identify(token: string): Promise<User__Output | undefined>;
  /** Removes a user from the cache after a change of role, a sign-out or a deletion. */
  forget(userId: string): void;
}

// Bounds the delay of a revocation whose event is lost.
const cacheMs = 2000;
const maxCached = 10_000;

export function createSessions(auth: AuthClient): Sessions {
  const cache = new LRUCache<string, { user: Promise<User__Output | undefined>; userId: string }>({
    max: maxCached,
    ttl: cacheMs,
  });

  async function fetchUser(token: string): Promise<User__Output | undefined> {
    try {
      return await auth.identify({ accessToken: token }, { caller: { kind: 'anonymous' } });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return undefined;
      throw error;
    }
  }

  return {
    async identify(token) {
      const key = createHash('sha256').update(token).digest('base64url');
      const hit = cache.get(key);
      if (hit) return hit.user;
      const entry = { user: fetchUser(token), userId: '' };
      cache.set(key, entry);
      try {
        const user = await entry.user;
        entry.userId = user?.id ?? '';
        return user;
      } catch (error) {
        cache.delete(key);
        throw error;
      }
    },
    forget(userId) {
      for (const [key, entry] of cache) {
        if (entry.userId === userId || entry.userId === '') cache.delete(key);
      }
    },
  };
}
