import { DomainError } from '@husky/runtime/errors';
import { houseUserId } from './username.ts';

/** What an admin may not change: themselves, which also keeps one admin at all times, and the house. */
export function checkTarget(actorId: string, targetId: string, ownRefusal: string): void {
  if (targetId === actorId) throw new DomainError('FAILED_PRECONDITION', 'own-account', ownRefusal);
  if (targetId === houseUserId) {
    throw new DomainError('FAILED_PRECONDITION', 'house-account', 'The house account cannot be changed');
  }
}

/** Two admins who press the same button at once want the same thing: the second one does not undo it. */
export function refuseWhenSo(is: boolean, wanted: boolean | null | undefined, sentence: string): void {
  if (wanted === is) throw new DomainError('ABORTED', 'already-so', sentence);
}
