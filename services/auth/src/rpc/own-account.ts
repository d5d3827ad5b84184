import { userChanged } from '@husky/contracts/events';
import { byColumn } from '@husky/contracts/profile-fields';
import type { DeleteUserResponse } from '@husky/contracts/types/auth/v1/DeleteUserResponse';
import type { ExportOwnDataResponse } from '@husky/contracts/types/auth/v1/ExportOwnDataResponse';
import type { User } from '@husky/contracts/types/auth/v1/User';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import { checkProfile, userNotFound } from '../domain/username.ts';
import { exportSettings } from '../notices/rpc/settings.ts';
import { presentUser } from '../present.ts';
import { listTokens } from '../store/api-tokens.ts';
import { countOtherAdmins, findById, lockRoles, updateUser } from '../store/users.ts';
import { verifyOwnPassword } from './password-check.ts';

/** Changes the given fields of the caller's profile; an empty field is cleared. */
export function updateProfile(context: AuthContext): AuthHandlers['updateProfile'] {
  return (request, { caller }): Promise<User> => {
    const profile = checkProfile(request);
    return context.transaction(async (tx) => {
      const user = await updateUser(tx, caller.id, profile);
      await emit(tx, userChanged, { userId: user.id, change: 'UPDATED' });
      return presentUser(user, { email: true });
    });
  };
}

/** Exports all data stored about the caller, except the hashes of password and access tokens. */
export function exportOwnData(context: AuthContext): AuthHandlers['exportOwnData'] {
  return async (_request, { caller }): Promise<ExportOwnDataResponse> => {
    const user = await findById(context.db, caller.id);
    if (!user) throw userNotFound();
    const sessions = await context.accounts.sessions(user.id);
    const tokens = await listTokens(context.db, user.id);
    const data = {
      account: {
        id: user.id,
        username: user.username,
        email: user.email,
        ...byColumn((field) => user[field]),
        admin: user.admin,
        is_verified: user.verified,
        created_at: user.createdAt,
      },
      sessions: sessions.map(({ id, address, createdAt, expiresAt }) => ({
        id,
        address,
        created_at: createdAt,
        expires_at: expiresAt,
      })),
      access_tokens: tokens.map(({ id, name, scopes, createdAt, expiresAt, lastUsedAt }) => ({
        id,
        name,
        scopes,
        created_at: createdAt,
        expires_at: expiresAt,
        last_used_at: lastUsedAt,
      })),
      notices: await exportSettings(context.pool, user.id),
    };
    return { json: JSON.stringify(data, null, 2) };
  };
}

/** Deletes the caller's account after checking the password. The last admin cannot be deleted. */
export function deleteOwnAccount(context: AuthContext): AuthHandlers['deleteOwnAccount'] {
  return async (request, { caller }): Promise<DeleteUserResponse> => {
    await verifyOwnPassword(context, caller, request.password);
    return context.transaction(async (tx) => {
      await lockRoles(tx);
      const user = await context.accounts.currentUser(tx, caller.id);
      if (!user) throw userNotFound();
      if (user.admin && (await countOtherAdmins(tx, user.id)) === 0) {
        const message = 'You are the last admin: make somebody else an admin first';
        throw new DomainError('FAILED_PRECONDITION', 'last-admin', message);
      }
      await context.accounts.remove(tx, user);
      const before = { admin: user.admin, verified: user.verified };
      const entry = { action: 'user.deleted', subjectKind: 'user', subjectId: user.id, before };
      await audit(tx, caller, entry, context.now());
      return { userId: user.id };
    });
  };
}
