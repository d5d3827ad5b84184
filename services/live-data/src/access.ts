import { houseUserId } from '@husky/contracts/house-user';
import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import {
  type AccessTable,
  admin,
  adminOr,
  anyone,
  authorizeResource,
  isAdmin,
  lease,
  only,
  signedIn,
} from '@husky/runtime/rpc/access';
import type { Caller, LeaseCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { CallOf } from '@husky/runtime/rpc/grpc-server';
import { holdsLease, type Match } from './domain/match.ts';
import { handsRemoved, leaseLost } from './domain/refusals.ts';

/** Who may make each call. The handler runs the second check when it has read the match. */
export const access = {
  // The response tells callers without access only that they have none. Which batches are public is not secret.
  getMatchAccess: anyone,
  listPublicBatches: anyone,
  // Reads public matches only.
  getHandOfTheDay: anyone,

  listHands: authorizeResource(anyone, reader),
  getHand: authorizeResource(anyone, reader),
  getPerformance: authorizeResource(anyone, reader),
  getMatchLuck: authorizeResource(anyone, reader),
  streamMatch: authorizeResource(anyone, reader),
  exportMatch: authorizeResource(anyone, reader),
  searchHands: authorizeResource(anyone, reader),
  getHandColumns: authorizeResource(anyone, reader),
  listHighlights: authorizeResource(anyone, reader),
  listMatches: anyoneForPublicMatches,
  // Reads public matches only.
  getSnapshot: anyone,
  // Exports of private matches are for admins only: src/exports/rpc/exports.ts
  planExport: anyone,
  listExports: anyone,
  getExport: anyone,
  downloadExport: anyone,
  startExport: anyone,
  // Counts public matches only, except for admins; a private batch is NOT_FOUND for others.
  getResults: anyone,
  getStandings: anyone,
  listPlayerHands: anyoneForPublicMatches,
  getPlayStatistics: anyoneForPublicPlay,
  getSeatLog: authorizeResource(botOwnerOrAdmin, matchReader),
  getBotReport: authorizeResource(botOwnerOrAdmin, matchReader),

  setBatchVisibility: adminOr(only('simulation')),
  getRetention: admin,
  // simulation: the matches of a challenge.
  toggleVisibility: adminOr(only('simulation')),
  purgeMatch: adminOr(only('simulation')),

  // The attempt does not exist yet, so only the lease is checked.
  openAttempt: lease,
  deliverChunk: authorizeResource(lease, currentLease),
  deliverSeatReport: authorizeResource(lease, currentLease),
  compareChunk: authorizeResource(lease, acceptedLease),
  completeMatch: authorizeResource(lease, currentLease),
} satisfies AccessTable<LiveDataServiceDefinition>;

export type ReaderCall = CallOf<typeof access.streamMatch>;
export type DealerCall = CallOf<typeof access.deliverChunk>;

type Visibility = Pick<Match, 'isPublic' | 'ownerId' | 'playerIds' | 'ladder' | 'sealed'>;
type Readable = Visibility & Pick<Match, 'handsRemovedAt'>;

/**
 * Returns whether a caller may read a match: everybody may read a public match; players, owner and admins a private one, owner
 * and admins that of a trial, only admins a sealed one. The house bot's user is not a player in this sense. Services may read for callers that they have checked.
 */
export function mayRead(caller: Caller, match: Visibility): boolean {
  if (match.isPublic || caller.kind === 'service' || isAdmin(caller)) return true;
  if (caller.kind !== 'user' || caller.id === houseUserId) return false;
  if (caller.id === match.ownerId) return true;
  const isTrial = match.ladder && match.ownerId !== houseUserId;
  return !isTrial && !match.sealed && match.playerIds.includes(caller.id);
}

/** Throws PERMISSION_DENIED unless the caller may read the match. */
function matchReader(caller: Caller, match: Visibility): void {
  if (mayRead(caller, match)) return;
  throw new DomainError('PERMISSION_DENIED', 'private-match', 'This game is private and cannot be accessed.');
}

/** Throws PERMISSION_DENIED unless the caller may read the match, and NOT_FOUND if its hands were removed. */
function reader(caller: Caller, match: Readable): void {
  matchReader(caller, match);
  if (match.handsRemovedAt !== null) throw handsRemoved(match.handsRemovedAt);
}

/** Only admins may read hands of voided attempts, which are kept for audits. */
export const mayReadVoided = isAdmin;

/** Only admins get the results of private batches and of private matches within a batch. */
export const readsPrivateResults = (caller: Caller): boolean => caller.kind === 'service' || isAdmin(caller);

/** Only admins start and read exports that contain private matches. */
export const readsPrivateExports = isAdmin;

/** Only admins get sealed matches in lists and sums: those of a stage whose results are revealed later. */
export const readsSealed = isAdmin;

/** Only admins get the sums over everybody's private matches. */
export const mayReadTotals = isAdmin;

/** Throws unless the list is permitted: everybody may list public matches, users their own ones too, admins all. */
function anyoneForPublicMatches(
  caller: Caller,
  { publicOnly, playerId }: { readonly publicOnly: boolean; readonly playerId?: string },
): Caller {
  if (publicOnly) return caller;
  const own = caller.kind === 'user' && caller.id === playerId && caller.id !== houseUserId;
  return own ? caller : admin(caller);
}

/** Applies the rule of lists of matches. A player's own statistics may cover private matches, but not sealed ones. */
function anyoneForPublicPlay(
  caller: Caller,
  { publicOnly, playerIds }: { readonly publicOnly: boolean; readonly playerIds: readonly string[] },
): Caller {
  const own = caller.kind === 'user' && playerIds.includes(caller.id);
  return anyoneForPublicMatches(caller, own ? { publicOnly, playerId: caller.id } : { publicOnly });
}

/** Returns whether the caller may read the texts of a seat's bot, such as its exceptions: its owner and admins may. */
export function botTextReader(caller: Caller, match: Visibility): (seat: number) => boolean {
  if (isAdmin(caller)) return () => true;
  if (caller.kind !== 'user' || caller.id === houseUserId) return () => false;
  return (seat) => match.playerIds[seat] === caller.id;
}

/** Throws unless the caller owns the bot or is an admin: a log may reveal its author's strategy. */
function botOwnerOrAdmin(caller: Caller, { userId }: { readonly userId: string }): Caller {
  if (isAdmin(caller)) return caller;
  if (caller.kind === 'anonymous') return signedIn(caller);
  if (caller.kind === 'user' && caller.id === userId && userId !== houseUserId) return caller;
  throw new DomainError('PERMISSION_DENIED', 'not-your-bot', "You can only read your own bot's log.");
}

/** Throws ABORTED for dealers of voided attempts, and of all others once an attempt is accepted. */
function currentLease({ attempt }: LeaseCaller, match: Match): void {
  if (!holdsLease(match, attempt)) throw leaseLost();
}

/** Throws ABORTED for dealers of other attempts than the accepted one, and NOT_FOUND if its hands were removed. */
function acceptedLease({ attempt }: LeaseCaller, match: Match): void {
  if (match.acceptedAttempt !== attempt) throw leaseLost();
  if (match.handsRemovedAt !== null) throw handsRemoved(match.handsRemovedAt);
}
