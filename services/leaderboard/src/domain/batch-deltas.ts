import type { BatchGame__Output } from '@husky/contracts/types/simulation/v1/BatchGame';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { deltasOf } from './job-deltas.ts';

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
