import type { authService } from '@husky/contracts/services';
import type { UserName__Output } from '@husky/contracts/types/auth/v1/UserName';
import { DomainError } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';

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
  const cache = new Map<string, { username: string; until: number }>();

  function keep(name: UserName__Output): void {
    if (cache.size >= mostKept) cache.clear();
    cache.set(name.id, { username: name.username, until: Date.now() + keepMs });
  }

  async function resolve(usernames: readonly string[]): Promise<UserName__Output[]> {
    const { names } = await auth.resolveNames({ usernames: [...usernames] }, asNobody);
    return names;
  }

  async function load(ids: Iterable<string>): Promise<string[]> {
    const now = Date.now();
    const wanted = [...new Set(ids)].filter((id) => id !== '');
    const missing = wanted.filter((id) => (cache.get(id)?.until ?? 0) < now);
    for (let at = 0; at < missing.length; at += chunkSize) {
      const { names } = await auth.getNames({ ids: missing.slice(at, at + chunkSize) }, asNobody);
      for (const name of names) keep(name);
    }
    return wanted;
  }

  return {
    async of(ids) {
      await load(ids);
      return (id) => cache.get(id)?.username ?? 'unknown';
    },
    async known(ids) {
      const wanted = await load(ids);
      const pairs = wanted.map((id) => [id, cache.get(id)?.username] as const);
      return new Map(pairs.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])));
    },
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
