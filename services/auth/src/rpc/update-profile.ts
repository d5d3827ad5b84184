import type { UpdateProfileRequest__Output } from '@husky/contracts/types/auth/v1/UpdateProfileRequest';
import type { User } from '@husky/contracts/types/auth/v1/User';
import type { VerifiedCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { checkProfile } from '../domain/profile.ts';
import { presentUser } from '../present.ts';
import { announce } from '../store/events.ts';
import { updateUser } from '../store/users.ts';

/** A verified user, their own profile. */
export function updateProfile(
  context: AuthContext,
  request: UpdateProfileRequest__Output,
  { caller }: Call<VerifiedCaller>,
): Promise<User> {
  const profile = checkProfile(request);
  return context.transaction(async (tx) => {
    const user = await updateUser(tx, caller.id, profile);
    await announce(tx, user.id, 'UPDATED');
    return presentUser(user, { email: true });
  });
}
