import { userChanged } from '@husky/contracts/events';
import type { EndSessionsResponse } from '@husky/contracts/types/auth/v1/EndSessionsResponse';
import type { ListSessionsResponse } from '@husky/contracts/types/auth/v1/ListSessionsResponse';
import type { LogoutResponse } from '@husky/contracts/types/auth/v1/LogoutResponse';
import { emit } from '@husky/runtime/messages/outbox';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import { revokeTokens } from '../store/api-tokens.ts';

/** Lists the caller's open sessions, newest first. `current` marks the session of `access_token`. */
export function listSessions(context: AuthContext): AuthHandlers['listSessions'] {
  return async (request, { caller }): Promise<ListSessionsResponse> => {
    const { accessToken } = request;
    const { skip, take } = pageOf(request);
    const current = accessToken === '' ? undefined : await context.accounts.readToken(accessToken);
    const sessions = await context.accounts.sessions(caller.id);
    return {
      sessions: sessions.slice(skip, skip + take).map((session) => ({
        id: session.id,
        createdAt: session.createdAt.toISOString(),
        expiresAt: session.expiresAt.toISOString(),
        address: session.address,
        current: session.id === current?.sessionId,
      })),
      total: sessions.length,
    };
  };
}

/** Ends the session of the caller's token. Idempotent. */
export function logout(context: AuthContext): AuthHandlers['logout'] {
  return async (request, call): Promise<LogoutResponse> => {
    const { caller } = call;
    const claims = await context.accounts.readToken(request.accessToken);
    call.check(claims);
    await context.transaction(async (tx) => {
      const ended = await context.accounts.endSessions(tx, caller.id, { only: claims.sessionId });
      if (ended === 0) return;
      await emit(tx, userChanged, { userId: caller.id, change: 'SIGNED_OUT' });
      const entry = { action: 'user.signed_out', subjectKind: 'user', subjectId: caller.id };
      await audit(tx, caller, entry, context.now());
    });
    return {};
  };
}

/** Ends one of the caller's sessions. NOT_FOUND for an ended session and for another user's. */
export function endSession(context: AuthContext): AuthHandlers['endSession'] {
  return ({ sessionId }, { caller }): Promise<EndSessionsResponse> =>
    context.transaction(async (tx) => {
      const ended = isUuid(sessionId) ? await context.accounts.endSessions(tx, caller.id, { only: sessionId }) : 0;
      if (ended === 0) throw new DomainError('NOT_FOUND', 'session-not-found', 'Session not found');
      await emit(tx, userChanged, { userId: caller.id, change: 'SIGNED_OUT' });
      const entry = { action: 'session.ended', subjectKind: 'session', subjectId: sessionId };
      await audit(tx, caller, entry, context.now());
      return { ended };
    });
}

/** Ends all sessions of the caller except the token's, and revokes all access tokens. `ended` counts the sessions. */
export function endOtherSessions(context: AuthContext): AuthHandlers['endOtherSessions'] {
  return async (request, call): Promise<EndSessionsResponse> => {
    const { caller } = call;
    const claims = await context.accounts.readToken(request.accessToken);
    call.check(claims);
    return context.transaction(async (tx) => {
      const ended = await context.accounts.endSessions(tx, caller.id, { except: claims.sessionId });
      const accessTokensRevoked = await revokeTokens(tx, caller.id, context.now());
      if (ended + accessTokensRevoked === 0) return { ended };
      await emit(tx, userChanged, { userId: caller.id, change: 'SIGNED_OUT' });
      const after = { ended, accessTokensRevoked };
      const entry = { action: 'session.others_ended', subjectKind: 'user', subjectId: caller.id, after };
      await audit(tx, caller, entry, context.now());
      return { ended };
    });
  };
}
