import { type Caller, requireUser, requireVerified, type UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';

/** Verified users for what is theirs; admins for everything. Anybody else: PERMISSION_DENIED. */
export function requireOwnerOrAdmin(caller: Caller, ownerId: string): UserCaller {
  const user = requireUser(caller);
  if (user.admin) return user;
  requireVerified(user);
  if (user.id !== ownerId) {
    throw new DomainError('PERMISSION_DENIED', 'not-the-owner', 'This submission belongs to another user.');
  }
  return user;
}

/** A signed-in user who is verified or an admin. */
export function requireMember(caller: Caller): UserCaller {
  const user = requireUser(caller);
  return user.admin ? user : requireVerified(user);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What is no id at all is unknown like an id that nobody has. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

export const submissionNotFound = () => new DomainError('NOT_FOUND', 'submission-not-found', 'Submission not found');
export const fileNotFound = () => new DomainError('NOT_FOUND', 'file-not-found', 'File not found');
