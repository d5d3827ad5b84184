import type { authService } from '@husky/contracts/services';
import type { UserName__Output } from '@husky/contracts/types/auth/v1/UserName';
import { DomainError } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import { LRUCache } from 'lru-cache';

type AuthClient = RpcClient<NonNullable<(typeof authService)['definition']>>;

/** Turns user ids into names, and names into ids, at the edge. */
export interface Names {
  /** The names of these ids; one that nobody knows is shown as `unknown`. */
  of(ids: Iterable<string>): Promise<(id: string) => string>;
  /** Those of these ids that are users, deleted ones too, with their names. */
  known(ids: Iterable<string>): Promise<ReadonlyMap<string, string>>;
  /** The id of a name, or NOT_FOUND. */
  idOf(username: string): Promise<string>;
  /** Ids in the order of the names given; unknown ones are listed apart. */
  idsOf(usernames: readonly string[]): Promise<{ ids: string[]; unknown: string[] }>;
  forget(userId: string): void;
}

const keepMs = 60_000;
const mostKept = 20_000;
const chunkSize = 500;
const asNobody = { caller: { kind: 'anonymous' } } as const;

export function createNames(auth: AuthClient): Names {
  const cache = new LRUCache<string, string>({ max: mostKept, ttl: keepMs });

  async function resolve(usernames: readonly string[]): Promise<UserName__Output[]> {
    const { names } = await auth.resolveNames({ usernames: [...usernames] }, asNobody);
    return names;
  }

  /** Returns a map of its own, so that no eviction from the cache changes an answer under way. */
  async function load(ids: Iterable<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const username = id === '' ? undefined : cache.get(id);
      if (username !== undefined) found.set(id, username);
      else if (id !== '') missing.push(id);
    }
    for (let at = 0; at < missing.length; at += chunkSize) {
      const { names } = await auth.getNames({ ids: missing.slice(at, at + chunkSize) }, asNobody);
      for (const { id, username } of names) {
        cache.set(id, username);
        found.set(id, username);
      }
    }
    return found;
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
