import type { ExportOwnDataRequest__Output } from '@husky/contracts/types/auth/v1/ExportOwnDataRequest';
import type { ExportOwnDataResponse } from '@husky/contracts/types/auth/v1/ExportOwnDataResponse';
import type { UserCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { userNotFound } from '../domain/username.ts';
import { readNoticeSettings } from '../notices/store/settings.ts';
import { findById } from '../store/users.ts';

/** A signed-in user, their own: all that auth keeps of them but the password's hash. */
export async function exportOwnData(
  context: AuthContext,
  _request: ExportOwnDataRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<ExportOwnDataResponse> {
  const user = await findById(context.db, caller.id);
  if (!user) throw userNotFound();
  const sessions = await context.accounts.sessions(user.id);
  const data = {
    account: {
      id: user.id,
      username: user.username,
      email: user.email,
      name: user.name,
      github: user.github,
      discord_username: user.discordUsername,
      about: user.about,
      admin: user.admin,
      is_verified: user.verified,
      created_at: user.createdAt,
    },
    sessions: sessions.map(({ id, address, createdAt, expiresAt }) => ({
      id,
      address,
      created_at: createdAt,
      expires_at: expiresAt,
    })),
    notices: Object.fromEntries(
      (await readNoticeSettings(context.pool, user.id)).map(({ kind, enabled }) => [kind, enabled]),
    ),
  };
  return { json: JSON.stringify(data, null, 2) };
}
