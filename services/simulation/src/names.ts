import type { Context } from './context.ts';

/** Returns the names of users by id; those of deleted users are left out. Throws while auth is unavailable. */
export async function usernamesOf({ auth }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const { names } = await auth.getNames({ ids: [...ids] });
  return new Map(names.map(({ id, username }) => [id, username]));
}
