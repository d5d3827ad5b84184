import type { GetUserRequest__Output } from '@husky/contracts/types/auth/v1/GetUserRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { isAdmin } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { userNotFound } from '../domain/username.ts';
import { presentUser } from '../present.ts';
import { findByName } from '../store/users.ts';

/** Anyone; the e-mail address for its owner and admins only. */
export async function getUser(context: AuthContext, request: GetUserRequest__Output, call: Call): Promise<User> {
  const user = await findByName(context.db, request.username);
  if (!user) throw userNotFound();
  const own = call.caller.kind === 'user' && call.caller.id === user.id;
  return presentUser(user, { email: own || isAdmin(call.caller) });
}
