import type { CountUsersRequest__Output } from '@husky/contracts/types/auth/v1/CountUsersRequest';
import type { CountUsersResponse } from '@husky/contracts/types/auth/v1/CountUsersResponse';
import type { AuthContext } from '../context.ts';
import { countUsers as count } from '../store/directory.ts';

/** Admins. People only: no house, no deleted accounts. */
export async function countUsers(
  context: AuthContext,
  _request: CountUsersRequest__Output,
): Promise<CountUsersResponse> {
  const { all, verified } = await count(context.db);
  return { userCount: all, verifiedCount: verified };
}
