import type { EndSessionRequest__Output } from '@husky/contracts/types/auth/v1/EndSessionRequest';
import type { EndSessionsResponse } from '@husky/contracts/types/auth/v1/EndSessionsResponse';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import { isUuid } from '@husky/runtime/uuid';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { announce } from '../store/events.ts';

/** A signed-in user, one of their own; somebody else's is as unknown as one that has ended. */
export function endSession(
  context: AuthContext,
  request: EndSessionRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<EndSessionsResponse> {
  return context.transaction(async (tx) => {
    const only = request.sessionId;
    const ended = isUuid(only) ? await context.accounts.endSessions(tx, caller.id, { only }) : 0;
    if (ended === 0) throw new DomainError('NOT_FOUND', 'session-not-found', 'Session not found');
    await announce(tx, caller.id, 'SIGNED_OUT');
    await audit(tx, caller, { action: 'session.ended', subjectKind: 'session', subjectId: only }, context.now());
    return { ended };
  });
}
