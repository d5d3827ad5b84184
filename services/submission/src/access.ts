import type { Audience } from '@husky/contracts/authoring';
import type { SubmissionServiceDefinition } from '@husky/contracts/types/submission/v1/SubmissionService';
import {
  type AccessTable,
  admin,
  anyone,
  authorizeResource,
  isAdmin,
  lease,
  member,
  notTheOwner,
  only,
  ownerOrAdmin,
  verified,
} from '@husky/runtime/rpc/access';
import type { Caller, LeaseCaller, UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { CallOf } from '@husky/runtime/rpc/grpc-server';

const authorOrAdmin = ownerOrAdmin('submission');

/** Who may make each call. `authorizeResource`: the second rule checks the resource that the handler has found. */
export const access = {
  // The token in the link authorises the call.
  openFileLink: anyone,

  upload: verified,
  checkBot: verified,
  // Callers list their own submissions.
  listSubmissions: member,
  getFinalSubmission: (caller: Caller, request: { readonly userId: string }) => authorOrAdmin(caller, request.userId),
  summariseSubmissions: (caller: Caller, request: { readonly userId: string }) => authorOrAdmin(caller, request.userId),
  getBotVersion: (caller: Caller, request: { readonly userId: string }) => authorOrAdmin(caller, request.userId),
  getSubmission: authorizeResource(member, authorOrAdmin),
  getFile: authorizeResource(member, authorOrAdmin),
  signFileLink: authorizeResource(member, authorOrAdmin),
  deleteSubmission: authorizeResource(member, authorOrAdmin),
  // Only the author chooses the final submission; admins must not.
  markFinal: authorizeResource(member, authorOnly),
  unmarkFinal: authorizeResource(member, authorOnly),

  uploadAuthoring: authorizeResource(verified, authorOnly),
  showAuthoring: authorizeResource(member, authorOnly),
  deleteAuthoring: authorizeResource(member, authorOrAdmin),
  // Whether the caller sees private ones too.
  listAuthorings: authorizeResource(
    anyone,
    (caller: Caller, authorId: string) => isAdmin(caller) || (caller.kind === 'user' && caller.id === authorId),
  ),
  getAuthoringCode: authorizeResource(anyone, (caller: Caller, authorId: string, shown: Audience) =>
    shown === 'code' ? caller : authorOrAdmin(caller, authorId),
  ),

  listUsersWithFinal: admin,
  countSubmissions: admin,

  stageBot: only('simulation'),
  pinFinals: only('simulation'),
  pinUpload: only('simulation'),
  pinHouse: only('simulation'),
  listFinals: only('simulation'),
  preparePackages: only('simulation'),
  releasePins: only('simulation'),

  fetchBot: (caller: Caller, request: { readonly botHash: string }) => dealerOf(caller, request.botHash),
  fetchPackages: (caller: Caller, request: { readonly packagesHash: string }) => dealerOf(caller, request.packagesHash),
} satisfies AccessTable<SubmissionServiceDefinition>;

export type AuthorCall = CallOf<typeof access.getSubmission>;

function authorOnly(caller: UserCaller, authorId: string): UserCaller {
  if (caller.id === authorId) return caller;
  throw notTheOwner('submission');
}

/** Admits a lease that names the file. simulation signs leases. */
function dealerOf(caller: Caller, hash: string): LeaseCaller {
  const dealer = lease(caller);
  if (dealer.reads?.includes(hash)) return dealer;
  throw new DomainError('PERMISSION_DENIED', 'not-in-this-match', 'The lease is for a match that does not use this');
}
