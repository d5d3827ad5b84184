import type { OptOut } from '@husky/contracts/types/auth/v1/OptOut';
import type { OptOutRequest__Output } from '@husky/contracts/types/auth/v1/OptOutRequest';
import { DomainError } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import { readOptOutToken } from '../domain/opt-out-token.ts';
import { optOutSecret, readNoticeSettings, saveNoticeSettings } from '../store/notice-settings.ts';
import { findById } from '../store/users.ts';

const accountGone = () => new DomainError('NOT_FOUND', 'link-unknown', 'This opt-out link is not valid any more');

/** Whoever has the link: what it would end. Nothing changes, so programs that look at links do no harm. */
export async function lookAtOptOut(context: AuthContext, request: OptOutRequest__Output): Promise<OptOut> {
  const { userId, kind } = readOptOutToken(await optOutSecret(context.pool), request.token);
  if (!(await findById(context.db, userId))) throw accountGone();
  const settings = await readNoticeSettings(context.pool, userId);
  return { kind, enabled: settings.some((one) => one.kind === kind && one.enabled) };
}

/** Whoever has the link, as often as they like: mails of this kind end. */
export async function useOptOut(context: AuthContext, request: OptOutRequest__Output): Promise<OptOut> {
  const { userId, kind } = readOptOutToken(await optOutSecret(context.pool), request.token);
  const off = [{ kind, enabled: false }];
  if (!(await saveNoticeSettings(context.pool, userId, off, context.now()))) throw accountGone();
  return { kind, enabled: false };
}
