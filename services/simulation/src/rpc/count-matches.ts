import type { MatchCounts } from '@husky/contracts/types/simulation/v1/MatchCounts';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { countsOfBatches, countsOfPlatform, deletionsOf } from '../store/match-counts.ts';

const maxBatches = 1000;

/** Counts the matches of batches, or of the platform, by what became of them. */
export function countMatches(context: Context): SimulationHandlers['countMatches'] {
  return async ({ batchIds }): Promise<MatchCounts> => {
    if (batchIds.length > maxBatches) {
      throw new DomainError(
        'INVALID_ARGUMENT',
        'too-many-ids',
        `At most ${maxBatches} batches can be counted at once.`,
      );
    }
    const known = batchIds.length === 0 ? null : batchIds.filter(isUuid);
    const [counts, deletions] = await Promise.all([
      known === null ? countsOfPlatform(context.pool) : countsOfBatches(context.pool, known),
      deletionsOf(context.pool, known),
    ]);
    const { played, unplayed, matches } = deletions;
    return {
      ...counts,
      deletedAfterPlay: played,
      deletedUnknown: Math.max(0, counts.deleted - played - unplayed),
      deletedMatches: matches.map((match) => ({ ...match, deletedAt: match.deletedAt.toISOString() })),
    };
  };
}
