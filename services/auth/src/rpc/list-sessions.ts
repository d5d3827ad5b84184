import type { ListSessionsRequest__Output } from '@husky/contracts/types/auth/v1/ListSessionsRequest';
import type { ListSessionsResponse } from '@husky/contracts/types/auth/v1/ListSessionsResponse';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';

const standardPageSize = 100;
const largestPageSize = 1000;

/** A signed-in user, their own. */
export async function listSessions(
  context: AuthContext,
  request: ListSessionsRequest__Output,
  { caller }: Call<UserCaller>,
): Promise<ListSessionsResponse> {
  const { accessToken, page, pageSize } = request;
  const size = pageSize === 0 ? standardPageSize : pageSize;
  if (page < 0 || size < 1 || size > largestPageSize) {
    throw new DomainError('INVALID_ARGUMENT', 'page-invalid', `A page has 1 to ${largestPageSize} sessions`);
  }
  const skipped = Math.max(0, page - 1) * size;
  const current = accessToken === '' ? undefined : await context.accounts.claims(accessToken);
  const sessions = await context.accounts.sessions(caller.id);
  return {
    sessions: sessions.slice(skipped, skipped + size).map((session) => ({
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      address: session.address,
      current: session.id === current?.sessionId,
    })),
    total: sessions.length,
  };
}
