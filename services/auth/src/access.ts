import { houseUserId } from '@husky/contracts/house-user';
import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import {
  type AccessTable,
  admin,
  anyone,
  authorizeResource,
  isAdmin,
  member,
  signedIn,
  verified,
} from '@husky/runtime/access';
import type { AdminCaller, Caller, UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { CallOf } from '@husky/runtime/grpc-server';
import { invalidToken } from './domain/access-tokens.ts';

/** Who may make each call; a second check runs in the handler once the target is known. */
export const access = {
  register: anyone,
  login: anyone,
  // Public pages show players; see maySeeAddress.
  getUser: anyone,
  getNames: anyone,
  resolveNames: anyone,
  getKeys: anyone,
  requestPasswordReset: anyone,
  // Authorised by the token or the mailed link itself.
  identify: anyone,
  verifyEmail: anyone,
  confirmEmailChange: anyone,
  resetPassword: anyone,
  lookAtOptOut: anyone,
  useOptOut: anyone,

  // On the caller's own account, verified or not.
  logout: authorizeResource(signedIn, holderOfToken),
  endOtherSessions: authorizeResource(signedIn, holderOfToken),
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
  toggleAdmin: authorizeResource(admin, adminOfOthers),
  toggleVerified: authorizeResource(admin, adminOfOthers),
  deleteUser: authorizeResource(admin, adminOfOthers),
} satisfies AccessTable<AuthServiceDefinition>;

export type TokenCall = CallOf<typeof access.logout>;
export type AdminOfOthersCall = CallOf<typeof access.toggleAdmin>;

/** Whether the caller may see the e-mail address of a user. */
export function maySeeAddress(caller: Caller, userId: string): boolean {
  return isAdmin(caller) || (caller.kind === 'user' && caller.id === userId);
}

/** Verified users and admins; only admins may filter by status. */
function memberOrAdminByStatus(caller: Caller, request: { readonly status: string }): UserCaller {
  const user = member(caller);
  return request.status === '' ? user : admin(user);
}

/** The token must be the caller's own. */
function holderOfToken(caller: UserCaller, token: { readonly userId: string }): void {
  if (token.userId !== caller.id) throw invalidToken();
}

/** Refuses a caller whose admin role was removed after the gateway identified them. */
export function stillAdmin(caller: AdminCaller, account: { readonly admin: boolean } | null): void {
  admin({ ...caller, admin: account?.admin ?? false });
}

/** Refuses admins' changes of their own account, so that one admin always remains, and of the house account. */
function adminOfOthers(caller: AdminCaller, targetId: string, ownRefusal: string): void {
  if (targetId === caller.id) throw new DomainError('FAILED_PRECONDITION', 'own-account', ownRefusal);
  if (targetId === houseUserId) {
    throw new DomainError('FAILED_PRECONDITION', 'house-account', 'The house account cannot be changed');
  }
}
