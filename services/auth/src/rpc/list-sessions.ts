import type { ListSessionsRequest__Output } from '@husky/contracts/types/auth/v1/ListSessionsRequest';
import type { ListSessionsResponse } from '@husky/contracts/types/auth/v1/ListSessionsResponse';
import { requireUser } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import { listSessions as sessionsOf } from '../store/sessions.ts';

/** A signed-in user, their own. */
export async function listSessions(
  context: AuthContext,
  request: ListSessionsRequest__Output,
  call: Call,
): Promise<ListSessionsResponse> {
  const caller = requireUser(call.caller);
  const now = context.now();
  const { accessToken } = request;
  const current = accessToken === '' ? undefined : await context.tokens.read(accessToken, now.getTime());
  const sessions = await sessionsOf(context.db, caller.id, now);
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      address: session.address,
      current: session.id === current?.sessionId,
    })),
  };
}
