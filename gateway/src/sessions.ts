import { createHash } from 'node:crypto';
import type { authService } from '@husky/contracts/services';
import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import { DomainError } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import { LRUCache } from 'lru-cache';

type AuthClient = RpcClient<NonNullable<(typeof authService)['definition']>>;

/** Who holds an access token now. */
export interface Sessions {
  /** The user, or undefined when auth does not accept the token. Throws when auth cannot be asked. */
  identify(token: string): Promise<User__Output | undefined>;
  /** Drops what is known of a user at once: roles changed, signed out, deleted. */
  forget(userId: string): void;
}

// Answers are kept this long at most, so that a revocation is seen everywhere within it even if its event is lost.
const keepMs = 2000;
const mostKept = 10_000;

export function createSessions(auth: AuthClient): Sessions {
  const cache = new LRUCache<string, { user: Promise<User__Output | undefined>; userId: string }>({
    max: mostKept,
    ttl: keepMs,
  });

  async function ask(token: string): Promise<User__Output | undefined> {
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
      const entry = { user: ask(token), userId: '' };
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
