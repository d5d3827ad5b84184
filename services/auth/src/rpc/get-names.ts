import type { GetNamesRequest__Output } from '@husky/contracts/types/auth/v1/GetNamesRequest';
import type { GetNamesResponse } from '@husky/contracts/types/auth/v1/GetNamesResponse';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { AuthContext } from '../context.ts';
import { presentName } from '../present.ts';
import { namesOf } from '../store/directory.ts';

const maxIds = 5000;

/** Anyone: public pages show players' names. What is no id of ours is left out. */
export async function getNames(context: AuthContext, request: GetNamesRequest__Output): Promise<GetNamesResponse> {
  if (request.ids.length > maxIds) {
    throw new DomainError('INVALID_ARGUMENT', 'too-many-ids', `At most ${maxIds} ids can be asked for at once`);
  }
  const ids = [...new Set(request.ids)].filter(isUuid);
  const rows = ids.length === 0 ? [] : await namesOf(context.db, ids);
  return { names: rows.map(presentName) };
}
