import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { houseUserId, type Match } from './match.ts';

type Shared = Pick<Match, 'isPublic' | 'ownerId' | 'playerIds'>;

/**
 * The one privacy rule: a public match is anybody's to read; a private one its players', its owner's and the admins'.
 * The house bot's user is nobody's and opens nothing. Our own services read for callers that they have checked themselves.
 */
export function mayRead(match: Shared, caller: Caller): boolean {
  if (match.isPublic || caller.kind === 'service') return true;
  if (caller.kind !== 'user') return false;
  if (caller.admin) return true;
  if (caller.id === houseUserId) return false;
  return caller.id === match.ownerId || match.playerIds.includes(caller.id);
}

export function requireReadable(match: Shared, caller: Caller): void {
  if (mayRead(match, caller)) return;
  throw new DomainError('PERMISSION_DENIED', 'private-match', 'This game is private and cannot be accessed.');
}

/** A bot's log may carry its author's strategy: not even the other players of the match see it. */
export function requireLogOwner(userId: string, caller: Caller): void {
  if (caller.kind === 'user' && (caller.admin || (caller.id === userId && userId !== houseUserId))) return;
  if (caller.kind === 'anonymous') throw new DomainError('UNAUTHENTICATED', 'not-signed-in', 'Not authenticated');
  throw new DomainError('PERMISSION_DENIED', 'not-your-bot', "You can only read your own bot's log.");
}

export function jobNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'job-not-found', 'Job not found.');
}

export function gameNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'game-not-found', 'Game not found.');
}

/** Two admins who press the same button at once want the same thing: the second one does not undo it. */
export function alreadySo(isPublic: boolean): DomainError {
  return new DomainError('ABORTED', 'already-so', `This match is ${isPublic ? 'public' : 'private'} already.`);
}

export function leaseLost(): DomainError {
  return new DomainError('ABORTED', 'lease-lost', 'This attempt is no longer the current one of its match.');
}
