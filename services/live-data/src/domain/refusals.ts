import { DomainError } from '@husky/runtime/errors';

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
