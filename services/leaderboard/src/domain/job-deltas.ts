import { houseUserId } from '@husky/contracts/house-user';
import type { BatchGame__Output } from '@husky/contracts/types/simulation/v1/BatchGame';
import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';

export interface UserDelta {
  readonly userId: string;
  readonly deltaCents: number;
}

const centsPerChip = 100;

/** Returns a job's delta for each user, sorted by user id, without the house bot. */
export function deltasOf(job: Pick<Job__Output, 'results'>): UserDelta[] {
  const sums = new Map<string, number>();
  for (const { userId, delta } of job.results) {
    if (userId !== houseUserId) sums.set(userId, (sums.get(userId) ?? 0) + delta * centsPerChip);
  }
  return [...sums]
    .map(([userId, deltaCents]) => ({ userId, deltaCents }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

/** Throws FAILED_PRECONDITION for a job that cannot count in 2025: unfinished, failed, a test run, of a challenge, or with one user in several seats. */
export function checkCountable({
  status,
  kind,
  results,
  challengeId,
}: Pick<Job__Output, 'status' | 'kind' | 'results' | 'challengeId'>): void {
  if (status !== 'FINISHED') {
    const message = status === 'FAILED' ? 'This job failed and has no result' : 'This job has not finished yet';
    throw new DomainError('FAILED_PRECONDITION', 'job-not-finished', message);
  }
  const userIds = results.map((result) => result.userId);
  const refuse = (reason: string, message: string) => new DomainError('FAILED_PRECONDITION', reason, message);
  if (kind === 'TEST_RUN' || kind === 'LADDER' || kind === 'TRIAL' || userIds.includes(houseUserId)) {
    throw refuse('test-run', 'A test run against the house bot cannot be added to the 2025 leaderboard');
  }
  if (challengeId !== '') throw refuse('challenge', 'A match of a challenge cannot be added to the 2025 leaderboard');
  if (new Set(userIds).size < userIds.length) {
    throw refuse(
      'repeated-user',
      'One user has several seats in this match, so it cannot be added to the 2025 leaderboard',
    );
  }
}

export function alreadyApplied(): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'already-applied', 'This job is already on the 2025 leaderboard');
}

export function notApplied(): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'not-applied', 'This job is not on the 2025 leaderboard');
}

/** Returns the id in its stored form. Throws NOT_FOUND for a malformed one. */
export function jobIdOf({ jobId }: { readonly jobId: string }): string {
  if (!isUuid(jobId)) throw new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
  return jobId.toLowerCase();
}

/** One user's delta in one job of a batch. */
export interface BatchJobDelta {
  readonly jobId: string;
  readonly gameNumber: number;
  readonly userId: string;
  readonly deltaCents: number;
}

export function deltasOfGames(games: readonly BatchGame__Output[]): BatchJobDelta[] {
  return games.flatMap(({ jobId, gameNumber, results }) =>
    deltasOf({ results }).map((delta) => ({ jobId, gameNumber, ...delta })),
  );
}

/** Returns the id in its stored form. Throws NOT_FOUND for a malformed one. */
export function batchIdOf({ batchId }: { readonly batchId: string }): string {
  if (!isUuid(batchId)) throw new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
  return batchId.toLowerCase();
}
