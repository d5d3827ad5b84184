import type { authService } from '@husky/contracts/services';
import type { UserName__Output } from '@husky/contracts/types/auth/v1/UserName';
import { isTransient } from '@husky/runtime/process/retry';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { LRUCache } from 'lru-cache';

type AuthClient = RpcClient<NonNullable<(typeof authService)['definition']>>;

/** Resolves user ids to names and names to ids. Caches names for 60 s, and longer while auth is unavailable or overloaded. */
export interface Names {
  /** Resolves ids. Returns a function from id to name, which returns `unknown` for an unknown id. */
  of(ids: Iterable<string>): Promise<(id: string) => string>;
  /** Returns the names of ids, without ids that belong to no user. A deleted user has a tombstone name. */
  known(ids: Iterable<string>): Promise<ReadonlyMap<string, string>>;
  /** Returns the id of a name. Throws NOT_FOUND. */
  idOf(username: string): Promise<string>;
  /** Returns the ids of the known names in their order, and the unknown names. */
  idsOf(usernames: readonly string[]): Promise<{ ids: string[]; unknown: string[] }>;
  forget(userId: string): void;
}

const cacheMs = 60_000;
const maxCached = 20_000;
const chunkSize = 500;
const asAnonymous = { caller: { kind: 'anonymous' } } as const;

export function createNames(auth: AuthClient): Names {
  const cache = new LRUCache<string, string>({
    max: maxCached,
    ttl: cacheMs,
    allowStale: true,
    noDeleteOnStaleGet: true,
  });

  async function resolve(usernames: readonly string[]): Promise<UserName__Output[]> {
    const { names } = await auth.resolveNames({ usernames: [...usernames] }, asAnonymous);
    return names;
  }

  /** Returns names by id in a new map, so that an eviction from the cache does not change a response in progress. */
  async function load(ids: Iterable<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const expired: string[] = [];
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      if (id === '') continue;
      const username = cache.get(id);
      if (username === undefined) missing.push(id);
      else {
        found.set(id, username);
        if (cache.getRemainingTTL(id) <= 0) expired.push(id);
      }
    }
    try {
      await fetchNames([...missing, ...expired], found);
    } catch (error) {
      if (missing.length > 0 || !isTransient(error)) throw error;
    }
    return found;
  }

  /** Reads names from auth into the cache and into `found`. */
  async function fetchNames(ids: readonly string[], found: Map<string, string>): Promise<void> {
    for (let at = 0; at < ids.length; at += chunkSize) {
      const chunk = ids.slice(at, at + chunkSize);
      const { names } = await auth.getNames({ ids: chunk }, asAnonymous);
      for (const id of chunk) found.delete(id);
      for (const { id, username } of names) {
        cache.set(id, username);
        found.set(id, username);
      }
    }
  }

  return {
    async of(ids) {
      const found = await load(ids);
      return (id) => found.get(id) ?? 'unknown';
    },
    known: load,
    async idOf(username) {
      const [found] = await resolve([username]);
      if (!found) throw new DomainError('NOT_FOUND', 'no-such-user', 'User not found');
      return found.id;
    },
    async idsOf(usernames) {
      const found = new Map((await resolve(usernames)).map((name) => [name.username.toLowerCase(), name.id]));
      const ids = usernames.map((name) => found.get(name.toLowerCase()));
      return {
        ids: ids.filter((id) => id !== undefined),
        unknown: usernames.filter((name) => !found.has(name.toLowerCase())),
      };
    },
    forget: (userId) => void cache.delete(userId),
  };
}
