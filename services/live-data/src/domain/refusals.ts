import { DomainError } from '@husky/runtime/rpc/errors';

export function jobNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'job-not-found', 'Job not found.');
}

export function batchNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
}

export function gameNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'game-not-found', 'Game not found.');
}

/** Refuses a call that requires a finished match. `later` names what will be possible once it is finished. */
export function matchNotFinished({ status }: { readonly status: string }, later: string): DomainError {
  const message =
    status === 'Failed' ? 'This match failed, so it has no result.' : `This match is not finished. ${later}`;
  return new DomainError('FAILED_PRECONDITION', 'match-not-finished', message);
}

/** Refuses the second of two concurrent toggles: both admins intend the same state, so the second must not undo the first. */
export function visibilityUnchanged(isPublic: boolean): DomainError {
  return new DomainError('ABORTED', 'already-so', `This match is ${isPublic ? 'public' : 'private'} already.`);
}

export function leaseLost(): DomainError {
  return new DomainError('ABORTED', 'lease-lost', 'This attempt is no longer the current one of its match.');
}

const day = (at: Date) => at.toISOString().slice(0, 10);

/** Refuses to read hands that the rules of retention have removed. The match keeps its result. */
export function handsRemoved(at: Date): DomainError {
  const message = `The hands of this test run were removed on ${day(at)}: old test runs are not kept. Its result remains.`;
  return new DomainError('NOT_FOUND', 'hands-removed', message);
}

export function logRemoved(at: Date): DomainError {
  return new DomainError('NOT_FOUND', 'log-removed', logRemovedText(at));
}

export const logRemovedText = (at: Date) => `The log was removed on ${day(at)}: old logs are not kept.`;
