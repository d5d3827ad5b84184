import { houseUserId } from '@husky/contracts/house-user';
import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import {
  type AccessTable,
  admin,
  adminOr,
  anyone,
  isAdmin,
  lease,
  onceFound,
  only,
  signedIn,
} from '@husky/runtime/access';
import type { Caller, LeaseCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { CallOf } from '@husky/runtime/grpc-server';
import { holdsLease, type Match } from './domain/match.ts';
import { leaseLost } from './domain/refusals.ts';
import type { Attempt } from './store/attempts.ts';

/** Who may make each call; `onceFound`: and of what is found then, what is for them. */
export const access = {
  // Of a match that is not theirs, callers hear only that they may not read it; a public batch is no secret.
  getMatchAccess: anyone,
  listPublicBatches: anyone,

  listHands: onceFound(anyone, reader),
  getHand: onceFound(anyone, reader),
  getPerformance: onceFound(anyone, reader),
  streamMatch: onceFound(anyone, reader),
  listMatches: anyoneOfThePublicOnes,
  getSeatLog: authorOrAdmin,
  getBotReport: authorOrAdmin,

  toggleVisibility: admin,
  setBatchVisibility: admin,
  purgeMatch: adminOr(only('simulation')),

  // A dealer opens an attempt by its lease: there is nothing yet that could be its.
  openAttempt: lease,
  deliverChunk: onceFound(lease, newestDealer),
  deliverSeatReport: onceFound(lease, newestDealer),
  completeMatch: onceFound(lease, newestDealer),
} satisfies AccessTable<LiveDataServiceDefinition>;

export type ReaderCall = CallOf<typeof access.streamMatch>;
export type DealerCall = CallOf<typeof access.deliverChunk>;

type Shared = Pick<Match, 'isPublic' | 'ownerId' | 'playerIds'>;

/**
 * The one privacy rule: a public match is anybody's to read; a private one its players', its owner's and the admins'.
 * The house bot's user is nobody's and opens nothing. Our own services read for callers that they have checked themselves.
 */
export function mayRead(caller: Caller, match: Shared): boolean {
  if (match.isPublic || caller.kind === 'service' || isAdmin(caller)) return true;
  if (caller.kind !== 'user' || caller.id === houseUserId) return false;
  return caller.id === match.ownerId || match.playerIds.includes(caller.id);
}

function reader(caller: Caller, match: Shared): void {
  if (mayRead(caller, match)) return;
  throw new DomainError('PERMISSION_DENIED', 'private-match', 'This game is private and cannot be accessed.');
}

/** A voided attempt's hands stay for audit, which is the admins'. */
export const mayReadVoided = isAdmin;

function anyoneOfThePublicOnes(caller: Caller, request: { readonly publicOnly: boolean }): Caller {
  return request.publicOnly ? caller : admin(caller);
}

/** Whether the caller reads a bot's own words, such as the text of its exceptions: its owner and admins. */
export function readsTextOf(caller: Caller, match: Shared): (seat: number) => boolean {
  if (isAdmin(caller)) return () => true;
  if (caller.kind !== 'user' || caller.id === houseUserId) return () => false;
  return (seat) => match.playerIds[seat] === caller.id;
}

/** A bot's log may carry its author's strategy: not even the other players of the match see it. */
function authorOrAdmin(caller: Caller, { userId }: { readonly userId: string }): Caller {
  if (isAdmin(caller)) return caller;
  if (caller.kind === 'anonymous') return signedIn(caller);
  if (caller.kind === 'user' && caller.id === userId && userId !== houseUserId) return caller;
  throw new DomainError('PERMISSION_DENIED', 'not-your-bot', "You can only read your own bot's log.");
}

/** Only the newest attempt's dealer delivers, and none beside an accepted one. */
function newestDealer({ attempt }: LeaseCaller, match: Match, opened: Attempt | null): Attempt {
  if (!holdsLease(match, attempt) || opened === null) throw leaseLost();
  return opened;
}
