import type { EndOtherSessionsRequest__Output } from '@husky/contracts/types/auth/v1/EndOtherSessionsRequest';
import type { EndSessionsResponse } from '@husky/contracts/types/auth/v1/EndSessionsResponse';
import type { TokenCall } from '../access.ts';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { announce } from '../store/events.ts';

/** The token's own user: every session but that one. */
export async function endOtherSessions(
  context: AuthContext,
  request: EndOtherSessionsRequest__Output,
  call: TokenCall,
): Promise<EndSessionsResponse> {
  const { caller } = call;
  const now = context.now();
  const claims = await context.accounts.claims(request.accessToken);
  call.check(claims);
  return context.transaction(async (tx) => {
    const ended = await context.accounts.endSessions(tx, caller.id, { except: claims.sessionId });
    if (ended === 0) return { ended };
    await announce(tx, caller.id, 'SIGNED_OUT');
    const entry = { action: 'session.others_ended', subjectKind: 'user', subjectId: caller.id, after: { ended } };
    await audit(tx, caller, entry, now);
    return { ended };
  });
}
