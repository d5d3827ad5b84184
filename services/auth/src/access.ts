import { isHouseUser } from '@husky/contracts/house-user';
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
} from '@husky/runtime/rpc/access';
import type { AdminCaller, Caller, UserCaller, VerifiedCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { CallOf } from '@husky/runtime/rpc/grpc-server';
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
  identifyApiToken: anyone,
  lookAtOptOut: anyone,
  useOptOut: anyone,

  // On the caller's own account, verified or not.
  logout: authorizeResource(withSession, holderOfToken),
  endOtherSessions: authorizeResource(withSession, holderOfToken),
  endSession: withSession,
  listSessions: withSession,
  resendVerification: withSession,
  changePassword: withSession,
  changeEmail: withSession,
  deleteOwnAccount: withSession,
  exportOwnData: withSession,
  getNotices: withSession,
  setNotices: withSession,
  listApiTokens: withSession,
  revokeApiToken: withSession,

  createApiToken: verifiedWithSession,
  updateProfile: verifiedWithSession,
  listUsers: memberOrAdminByStatus,

  countUsers: admin,
  listAudit: admin,
  toggleAdmin: authorizeResource(admin, adminOfOthers),
  toggleVerified: authorizeResource(admin, adminOfOthers),
  deleteUser: authorizeResource(admin, adminOfOthers),
} satisfies AccessTable<AuthServiceDefinition>;

export type AdminOfOthersCall = CallOf<typeof access.toggleAdmin>;

/** Whether the caller may see the e-mail address of a user. */
export function maySeeAddress(caller: Caller, userId: string): boolean {
  return isAdmin(caller) || (caller.kind === 'user' && caller.id === userId);
}

/** Admits signed-in users. Refuses access tokens: a program must not change its user's account. */
function withSession(caller: Caller): UserCaller {
  const user = signedIn(caller);
  if (user.scopes === undefined) return user;
  throw new DomainError('PERMISSION_DENIED', 'needs-session', 'This call needs a session: sign in on the site');
}

function verifiedWithSession(caller: Caller): VerifiedCaller {
  return verified(withSession(caller));
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
export function requireStillAdmin(caller: AdminCaller, account: { readonly admin: boolean } | null): void {
  admin({ ...caller, admin: account?.admin ?? false });
}

/** Refuses admins' changes of their own account, so that one admin always remains, and of the house account. */
function adminOfOthers(caller: AdminCaller, targetId: string, ownRefusal: string): void {
  if (targetId === caller.id) throw new DomainError('FAILED_PRECONDITION', 'own-account', ownRefusal);
  if (isHouseUser(targetId)) {
    throw new DomainError('FAILED_PRECONDITION', 'house-account', 'The house account cannot be changed');
  }
}
