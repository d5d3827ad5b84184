import type { LogoutRequest__Output } from '@husky/contracts/types/auth/v1/LogoutRequest';
import type { LogoutResponse } from '@husky/contracts/types/auth/v1/LogoutResponse';
import type { TokenCall } from '../access.ts';
import { audit } from '../audit/audit.ts';
import type { AuthContext } from '../context.ts';
import { announce } from '../store/events.ts';

/** The token's own user, verified or not. Ending an ended session changes nothing. */
export async function logout(
  context: AuthContext,
  request: LogoutRequest__Output,
  call: TokenCall,
): Promise<LogoutResponse> {
  const { caller } = call;
  const now = context.now();
  const claims = await context.accounts.claims(request.accessToken);
  call.check(claims);
  await context.transaction(async (tx) => {
    const ended = await context.accounts.endSessions(tx, caller.id, { only: claims.sessionId });
    if (ended === 0) return;
    await announce(tx, caller.id, 'SIGNED_OUT');
    await audit(tx, caller, { action: 'user.signed_out', subjectKind: 'user', subjectId: caller.id }, now);
  });
  return {};
}
