import type { GetNoticesRequest__Output } from '@husky/contracts/types/auth/v1/GetNoticesRequest';
import type { Notices } from '@husky/contracts/types/auth/v1/Notices';
import type { OptOut } from '@husky/contracts/types/auth/v1/OptOut';
import type { OptOutRequest__Output } from '@husky/contracts/types/auth/v1/OptOutRequest';
import type { SetNoticesRequest__Output } from '@husky/contracts/types/auth/v1/SetNoticesRequest';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Call } from '@husky/runtime/rpc/grpc-server';
import type pg from 'pg';
import { isNoticeKind, noticeKinds } from '../domain/notice.ts';
import { type OptOutClaim, readOptOutToken } from '../domain/opt-out-token.ts';
import type { NoticesHost, NoticeUser } from '../host.ts';
import { optOutSecret, readNoticeSettings, saveNoticeSettings } from '../store/settings.ts';

/** Returns which kinds of notices the calling user gets. */
export async function getNotices(
  host: NoticesHost,
  _request: GetNoticesRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<Notices> {
  return presentSettings(host, await requireUser(host, caller.id));
}

/** Changes which kinds of notices the calling user gets; kinds that are not named keep their setting. */
export async function setNotices(
  host: NoticesHost,
  request: SetNoticesRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<Notices> {
  const chosen = new Map(request.settings.map(({ kind, enabled }) => [kind, enabled]));
  const settings = [...chosen].map(([kind, enabled]) => {
    if (isNoticeKind(kind)) return { kind, enabled };
    const message = `A notice is one of ${noticeKinds.join(', ')}`;
    throw new DomainError('INVALID_ARGUMENT', 'notice-unknown', message);
  });
  const user = await requireUser(host, caller.id);
  await saveNoticeSettings(host.pool, user.id, settings, host.now());
  return presentSettings(host, user);
}

/** Returns what an opt-out link would switch off. Changes nothing, since mail scanners open links. */
export async function lookAtOptOut(host: NoticesHost, request: OptOutRequest__Output): Promise<OptOut> {
  const { userId, kind } = await readClaim(host, request.token);
  const settings = await readNoticeSettings(host.pool, userId);
  return { kind, enabled: settings.some((one) => one.kind === kind && one.enabled) };
}

/** Switches off the kind of notice that an opt-out link names. Idempotent. */
export async function useOptOut(host: NoticesHost, request: OptOutRequest__Output): Promise<OptOut> {
  const { userId, kind } = await readClaim(host, request.token);
  await saveNoticeSettings(host.pool, userId, [{ kind, enabled: false }], host.now());
  return { kind, enabled: false };
}

/** Returns the settings of a user for their data export. */
export async function exportSettings(pool: pg.Pool, userId: string): Promise<Record<string, boolean>> {
  const settings = await readNoticeSettings(pool, userId);
  return Object.fromEntries(settings.map(({ kind, enabled }) => [kind, enabled]));
}

async function readClaim(host: NoticesHost, token: string): Promise<OptOutClaim> {
  const claim = readOptOutToken(await optOutSecret(host.pool), token);
  if (await findUser(host, claim.userId)) return claim;
  throw new DomainError('NOT_FOUND', 'link-unknown', 'This opt-out link is not valid any more');
}

async function requireUser(host: NoticesHost, id: string): Promise<NoticeUser> {
  const user = await findUser(host, id);
  if (!user) throw new DomainError('NOT_FOUND', 'user-not-found', 'User not found');
  return user;
}

async function findUser(host: NoticesHost, id: string): Promise<NoticeUser | undefined> {
  const user = (await host.usersById([id])).get(id);
  return user?.deleted ? undefined : user;
}

async function presentSettings(host: NoticesHost, user: NoticeUser): Promise<Notices> {
  return { settings: await readNoticeSettings(host.pool, user.id), addressVerified: user.verified };
}
