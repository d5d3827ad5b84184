import type { IdentifyRequest__Output } from '@husky/contracts/types/auth/v1/IdentifyRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import type { AuthContext } from '../context.ts';
import { invalidToken } from '../domain/access-tokens.ts';
import { presentUser } from '../present.ts';
import { findHolder } from '../store/sessions.ts';

/** Anyone who holds the token. Roles are those of this moment, not those of the sign-in. */
export async function identify(context: AuthContext, request: IdentifyRequest__Output): Promise<User> {
  const now = context.now();
  const claims = await context.tokens.read(request.accessToken, now.getTime());
  const user = await findHolder(context.pool, claims, now);
  if (!user) throw invalidToken();
  return presentUser(user, { email: true });
}
