import type { EndOtherSessionsRequest__Output } from '@husky/contracts/types/auth/v1/EndOtherSessionsRequest';
import type { EndSessionsResponse } from '@husky/contracts/types/auth/v1/EndSessionsResponse';
import { requireUser } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { invalidToken } from '../domain/access-tokens.ts';
import { audit } from '../store/audit.ts';
import { announce } from '../store/events.ts';

/** The token's own user: every session but that one. */
export async function endOtherSessions(
  context: AuthContext,
  request: EndOtherSessionsRequest__Output,
  call: Call,
): Promise<EndSessionsResponse> {
  const caller = requireUser(call.caller);
  const now = context.now();
  const { userId, sessionId } = await context.accounts.claims(request.accessToken);
  if (userId !== caller.id) throw invalidToken();
  return context.transaction(async (tx) => {
    const ended = await context.accounts.endSessions(tx, caller.id, { except: sessionId });
    if (ended === 0) return { ended };
    await announce(tx, caller.id, 'SIGNED_OUT');
    const entry = { action: 'session.others_ended', subjectKind: 'user', subjectId: caller.id, after: { ended } };
    await audit(tx, caller, entry, now);
    return { ended };
  });
}
