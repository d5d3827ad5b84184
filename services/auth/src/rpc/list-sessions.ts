import type { ListSessionsRequest__Output } from '@husky/contracts/types/auth/v1/ListSessionsRequest';
import type { ListSessionsResponse } from '@husky/contracts/types/auth/v1/ListSessionsResponse';
import type { UserCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';

/** A signed-in user, their own. */
export async function listSessions(
  context: AuthContext,
  request: ListSessionsRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<ListSessionsResponse> {
  const { accessToken } = request;
  const current = accessToken === '' ? undefined : await context.accounts.claims(accessToken);
  const sessions = await context.accounts.sessions(caller.id);
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
