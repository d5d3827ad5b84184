import { type Caller, isAdmin, requireUser, requireVerified, type UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';

export const jobNotFound = () => new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
export const batchNotFound = () => new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
export const jobPrivate = () =>
  new DomainError('PERMISSION_DENIED', 'job-private', 'This job is private and cannot be accessed.');

/** Whether a caller may read a job without its being public. */
export function mayReadPrivate(caller: Caller, ownerId: string, playerIds: readonly string[]): boolean {
  if (caller.kind === 'service' || isAdmin(caller)) return true;
  return caller.kind === 'user' && (caller.id === ownerId || playerIds.includes(caller.id));
}

/** The owner (verified) or an admin; otherwise PERMISSION_DENIED. */
export function requireOwnerOrAdmin(caller: Caller, ownerId: string): UserCaller {
  const user = requireUser(caller);
  if (user.admin) return user;
  requireVerified(user);
  if (user.id !== ownerId) {
    throw new DomainError('PERMISSION_DENIED', 'not-the-owner', 'This job belongs to another user.');
  }
  return user;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What is no id at all is unknown like an id that nobody has. */
export function isId(text: string): boolean {
  return uuid.test(text);
}
