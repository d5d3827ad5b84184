import { houseUserId } from '@husky/contracts/house-user';
import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { DomainError } from '@husky/runtime/errors';

export interface UserDelta {
  readonly userId: string;
  readonly deltaCents: number;
}

const centsPerChip = 100;

/** What a finished job adds to each user's standing, one row a user by id; the house gets nothing. */
export function deltasOf(job: Pick<Job__Output, 'results'>): UserDelta[] {
  const sums = new Map<string, number>();
  for (const { userId, delta } of job.results) {
    if (userId !== houseUserId) sums.set(userId, (sums.get(userId) ?? 0) + delta * centsPerChip);
  }
  return [...sums]
    .map(([userId, deltaCents]) => ({ userId, deltaCents }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

export function checkFinished(job: Pick<Job__Output, 'status'>): void {
  if (job.status === 'FINISHED') return;
  const message = job.status === 'FAILED' ? 'This job failed and has no result' : 'This job has not finished yet';
  throw new DomainError('FAILED_PRECONDITION', 'job-not-finished', message);
}

export function alreadyApplied(): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'already-applied', 'This job is already on the 2025 leaderboard');
}

export function notApplied(): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'not-applied', 'This job is not on the 2025 leaderboard');
}

export function jobNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
}
