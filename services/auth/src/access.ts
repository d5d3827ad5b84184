import { houseUserId } from '@husky/contracts/house-user';
import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import { type AccessTable, admin, anyone, isAdmin, member, onceFound, signedIn, verified } from '@husky/runtime/access';
import type { AdminCaller, Caller, UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { CallOf } from '@husky/runtime/grpc-server';
import { invalidToken } from './domain/access-tokens.ts';

/** Who may make each call; `onceFound`: and of what is found then, what is for them. */
export const access = {
  register: anyone,
  login: anyone,
  // Public pages show players; see maySeeAddress.
  getUser: anyone,
  getNames: anyone,
  resolveNames: anyone,
  getKeys: anyone,
  requestPasswordReset: anyone,
  // Whoever has the token, or the link of a mail, which is the right to use it.
  identify: anyone,
  verifyEmail: anyone,
  confirmEmailChange: anyone,
  resetPassword: anyone,
  lookAtOptOut: anyone,
  useOptOut: anyone,

  // Each their own account and sessions, verified or not.
  logout: onceFound(signedIn, holderOfToken),
  endOtherSessions: onceFound(signedIn, holderOfToken),
  endSession: signedIn,
  listSessions: signedIn,
  resendVerification: signedIn,
  changePassword: signedIn,
  changeEmail: signedIn,
  deleteOwnAccount: signedIn,
  exportOwnData: signedIn,
  getNotices: signedIn,
  setNotices: signedIn,

  updateProfile: verified,
  listUsers: memberOrAdminByStatus,

  countUsers: admin,
  listAudit: admin,
  toggleAdmin: onceFound(admin, adminOfOthers),
  toggleVerified: onceFound(admin, adminOfOthers),
  deleteUser: onceFound(admin, adminOfOthers),
} satisfies AccessTable<AuthServiceDefinition>;

export type TokenCall = CallOf<typeof access.logout>;
export type AdminOfOthersCall = CallOf<typeof access.toggleAdmin>;

/** Of the user of this id. */
export function maySeeAddress(caller: Caller, userId: string): boolean {
  return isAdmin(caller) || (caller.kind === 'user' && caller.id === userId);
}

/** Verified users see verified people, admins everybody: only they may ask by status. */
function memberOrAdminByStatus(caller: Caller, request: { readonly status: string }): UserCaller {
  const user = member(caller);
  return request.status === '' ? user : admin(user);
}

/** A session is ended by its own user: somebody else's token is as good as none. */
function holderOfToken(caller: UserCaller, token: { readonly userId: string }): void {
  if (token.userId !== caller.id) throw invalidToken();
}

/** Two admins who demote each other at once: the second one is none any more. */
export function stillAdmin(caller: AdminCaller, account: { readonly admin: boolean } | null): void {
  admin({ ...caller, admin: account?.admin ?? false });
}

/** What an admin may not change: themselves, which also keeps one admin at all times, and the house. */
function adminOfOthers(caller: AdminCaller, targetId: string, ownRefusal: string): void {
  if (targetId === caller.id) throw new DomainError('FAILED_PRECONDITION', 'own-account', ownRefusal);
  if (targetId === houseUserId) {
    throw new DomainError('FAILED_PRECONDITION', 'house-account', 'The house account cannot be changed');
  }
}
