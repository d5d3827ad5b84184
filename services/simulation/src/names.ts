import type { Context } from './context.ts';

const namesAtOnce = 1000;

/** Returns the names of users by id; those of deleted users are left out. Throws while auth is unavailable. */
export async function usernamesOf({ auth }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const { names } = await auth.getNames({ ids: [...ids] });
  return new Map(names.map(({ id, username }) => [id, username]));
}

/** Returns the names of those of the users who are verified and not deleted, by id. Throws while auth is unavailable. */
export async function verifiedNamesOf({ auth }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const verified = new Map<string, string>();
  for (let from = 0; from < ids.length; from += namesAtOnce) {
    const { names } = await auth.getNames({ ids: ids.slice(from, from + namesAtOnce) });
    for (const { id, username, verified: is, deleted } of names) if (is && !deleted) verified.set(id, username);
  }
  return verified;
}
