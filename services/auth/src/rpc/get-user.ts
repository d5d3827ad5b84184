import type { GetUserRequest__Output } from '@husky/contracts/types/auth/v1/GetUserRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import type { Call } from '@husky/runtime/grpc-server';
import { maySeeAddress } from '../access.ts';
import type { AuthContext } from '../context.ts';
import { userNotFound } from '../domain/username.ts';
import { presentUser } from '../present.ts';
import { findByName } from '../store/users.ts';

/** Anyone; the e-mail address for its owner and admins only. */
export async function getUser(context: AuthContext, request: GetUserRequest__Output, call: Call): Promise<User> {
  const user = await findByName(context.db, request.username);
  if (!user) throw userNotFound();
  return presentUser(user, { email: maySeeAddress(call.caller, user.id) });
}
