import type { GetKeysRequest__Output } from '@husky/contracts/types/auth/v1/GetKeysRequest';
import type { GetKeysResponse } from '@husky/contracts/types/auth/v1/GetKeysResponse';
import type { AuthContext } from '../context.ts';

/** Anyone: public keys. */
export async function getKeys(context: AuthContext, _request: GetKeysRequest__Output): Promise<GetKeysResponse> {
  const { jwksJson, away } = await context.accounts.keys();
  return { jwksJson, identityAway: away };
}
