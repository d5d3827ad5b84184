import type { IdentifyRequest__Output } from '@husky/contracts/types/auth/v1/IdentifyRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import type { AuthContext } from '../context.ts';
import { presentUser } from '../present.ts';

/** Anyone who holds the token. Roles are those of this moment, not those of the sign-in. */
export async function identify(context: AuthContext, request: IdentifyRequest__Output): Promise<User> {
  return presentUser(await context.accounts.holder(request.accessToken), { email: true });
}
