import type { GetNoticesRequest__Output } from '@husky/contracts/types/auth/v1/GetNoticesRequest';
import type { Notices } from '@husky/contracts/types/auth/v1/Notices';
import type { SetNoticesRequest__Output } from '@husky/contracts/types/auth/v1/SetNoticesRequest';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { isNoticeKind, noticeKinds } from '../domain/notice.ts';
import { userNotFound } from '../domain/username.ts';
import { readNoticeSettings, saveNoticeSettings } from '../store/notice-settings.ts';
import { findById } from '../store/users.ts';

/** A signed-in user, their own. */
export async function getNotices(
  context: AuthContext,
  _request: GetNoticesRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<Notices> {
  return presentNotices(context, caller.id);
}

/** A signed-in user, their own; also before the address is verified. */
export async function setNotices(
  context: AuthContext,
  request: SetNoticesRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<Notices> {
  const chosen = new Map(request.settings.map(({ kind, enabled }) => [kind, enabled]));
  const settings = [...chosen].map(([kind, enabled]) => {
    if (isNoticeKind(kind)) return { kind, enabled };
    const message = `A notice is one of ${noticeKinds.join(', ')}`;
    throw new DomainError('INVALID_ARGUMENT', 'notice-unknown', message);
  });
  if (!(await saveNoticeSettings(context.pool, caller.id, settings, context.now()))) throw userNotFound();
  return presentNotices(context, caller.id);
}

async function presentNotices(context: AuthContext, userId: string): Promise<Notices> {
  const user = await findById(context.db, userId);
  if (!user) throw userNotFound();
  return { settings: await readNoticeSettings(context.pool, userId), addressVerified: user.verified };
}
