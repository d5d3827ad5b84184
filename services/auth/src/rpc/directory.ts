import type { CountUsersResponse } from '@husky/contracts/types/auth/v1/CountUsersResponse';
import type { GetNamesResponse } from '@husky/contracts/types/auth/v1/GetNamesResponse';
import type { ListUsersResponse } from '@husky/contracts/types/auth/v1/ListUsersResponse';
import type { ResolveNamesResponse } from '@husky/contracts/types/auth/v1/ResolveNamesResponse';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { uuidsOf } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import { maySeeAddress } from '../access.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import { isUsername, userNotFound, usernameKey } from '../domain/username.ts';
import { presentName, presentUser } from '../present.ts';
import {
  findNamesById,
  findNamesByKey,
  countUsers as queryCounts,
  listUsers as queryUsers,
  type UserStatus,
} from '../store/directory.ts';
import { findByName } from '../store/users.ts';

const maxQueryLength = 100;
const maxIds = 5000;
const maxNames = 1000;

const isStatus = (text: string): text is UserStatus => ['', 'admin', 'verified', 'unverified'].includes(text);

/** Returns a user by name, with the e-mail address for the user and for admins only. */
export function getUser(context: AuthContext): AuthHandlers['getUser'] {
  return async (request, call): Promise<User> => {
    const user = await findByName(context.db, request.username);
    if (!user) throw userNotFound();
    return presentUser(user, { email: maySeeAddress(call.caller, user.id) });
  };
}

/** Searches users, ordered by name. Admins see everybody with addresses and may filter by status; others see verified users. */
export function listUsers(context: AuthContext): AuthHandlers['listUsers'] {
  return async (request, { caller: { admin } }): Promise<ListUsersResponse> => {
    const status = admin ? request.status : 'verified';
    if (!isStatus(status)) {
      throw new DomainError('INVALID_ARGUMENT', 'status-unknown', 'The status is admin, verified or unverified');
    }
    const page = pageOf(request);
    const q = request.q.trim();
    if (q.length > maxQueryLength) {
      throw new DomainError('INVALID_ARGUMENT', 'query-too-long', `A search has at most ${maxQueryLength} characters`);
    }
    // PostgreSQL text cannot contain NUL, so nothing can match it.
    if (q.includes('\0')) return { users: [], total: 0 };
    const { users, total } = await queryUsers(context.pool, { q, status, ...page });
    return { users: users.map((user) => presentUser(user, { email: admin })), total };
  };
}

/** Counts users, without the house account and deleted users. */
export function countUsers(context: AuthContext): AuthHandlers['countUsers'] {
  return async (): Promise<CountUsersResponse> => {
    const { all, verified } = await queryCounts(context.db);
    return { userCount: all, verifiedCount: verified };
  };
}

/** Returns the names of users by id, tombstones included. Unknown ids are left out. */
export function getNames(context: AuthContext): AuthHandlers['getNames'] {
  return async (request): Promise<GetNamesResponse> => {
    const ids = [...new Set(uuidsOf(request.ids, maxIds, 'ids'))];
    const rows = ids.length === 0 ? [] : await findNamesById(context.db, ids);
    return { names: rows.map(presentName) };
  };
}

/** Returns the ids of users by name, ignoring case. Unknown names are left out. */
export function resolveNames(context: AuthContext): AuthHandlers['resolveNames'] {
  return async (request): Promise<ResolveNamesResponse> => {
    if (request.usernames.length > maxNames) {
      throw new DomainError('INVALID_ARGUMENT', 'too-many-names', `At most ${maxNames} names can be requested at once`);
    }
    const keys = [...new Set(request.usernames.filter(isUsername).map(usernameKey))];
    const rows = keys.length === 0 ? [] : await findNamesByKey(context.db, keys);
    return { names: rows.map(presentName) };
  };
}
