import type { ResolveNamesRequest__Output } from '@husky/contracts/types/auth/v1/ResolveNamesRequest';
import type { ResolveNamesResponse } from '@husky/contracts/types/auth/v1/ResolveNamesResponse';
import { DomainError } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { isUsername, usernameKey } from '../domain/username.ts';
import { presentName } from '../present.ts';
import { idsOf } from '../store/directory.ts';

const maxNames = 1000;

/** Anyone: GetUser tells the same of one name. */
export async function resolveNames(
  context: AuthContext,
  request: ResolveNamesRequest__Output,
): Promise<ResolveNamesResponse> {
  if (request.usernames.length > maxNames) {
    throw new DomainError('INVALID_ARGUMENT', 'too-many-names', `At most ${maxNames} names can be asked for at once`);
  }
  const keys = [...new Set(request.usernames.filter(isUsername).map(usernameKey))];
  const rows = keys.length === 0 ? [] : await idsOf(context.db, keys);
  return { names: rows.map(presentName) };
}
