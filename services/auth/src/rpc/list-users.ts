import type { ListUsersRequest__Output } from '@husky/contracts/types/auth/v1/ListUsersRequest';
import type { ListUsersResponse } from '@husky/contracts/types/auth/v1/ListUsersResponse';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { AuthContext } from '../context.ts';
import type { Prisma } from '../generated/client.ts';
import { presentUser } from '../present.ts';
import { listUsers as findUsers } from '../store/directory.ts';

const defaultPageSize = 25;
const maxPageSize = 1000;
const maxQueryLength = 100;

const statuses: Record<string, Prisma.UserWhereInput> = {
  '': {},
  admin: { admin: true },
  verified: { verified: true },
  unverified: { verified: false },
};

/** Verified users see verified people; admins see everybody, by status if they like, with e-mail addresses. */
export async function listUsers(
  context: AuthContext,
  request: ListUsersRequest__Output,
  { caller: { admin } }: Call<UserCaller>,
): Promise<ListUsersResponse> {
  const where = admin ? statuses[request.status] : { verified: true };
  if (!where) {
    throw new DomainError('INVALID_ARGUMENT', 'status-unknown', 'The status is admin, verified or unverified');
  }
  const page = request.page === 0 ? 1 : request.page;
  const pageSize = request.pageSize === 0 ? defaultPageSize : request.pageSize;
  if (page < 1 || pageSize < 1 || pageSize > maxPageSize) {
    const message = `Pages count from 1 and hold 1 to ${maxPageSize} users`;
    throw new DomainError('INVALID_ARGUMENT', 'page-invalid', message);
  }
  const q = request.q.trim();
  if (q.length > maxQueryLength) {
    throw new DomainError('INVALID_ARGUMENT', 'query-too-long', `A search has at most ${maxQueryLength} characters`);
  }
  // PostgreSQL text cannot hold NUL, so nothing can match it.
  if (q.includes('\0')) return { users: [], total: 0 };
  const { users, total } = await findUsers(context.db, { q, where, page, pageSize });
  return { users: users.map((user) => presentUser(user, { email: admin })), total };
}
