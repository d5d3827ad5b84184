import { DomainError } from '@husky/runtime/errors';

export function jobNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'job-not-found', 'Job not found.');
}

export function gameNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'game-not-found', 'Game not found.');
}

/** Two admins who click the same toggle concurrently intend the same state, so the second must not undo the first. */
export function visibilityUnchanged(isPublic: boolean): DomainError {
  return new DomainError('ABORTED', 'already-so', `This match is ${isPublic ? 'public' : 'private'} already.`);
}

export function leaseLost(): DomainError {
  return new DomainError('ABORTED', 'lease-lost', 'This attempt is no longer the current one of its match.');
}
