import type { MatchCounts__Output } from '@husky/contracts/types/simulation/v1/MatchCounts';
import { countsOfNumber, countsSentence, deletionsSentence, recordsOf } from '@husky/match/match-counts';
import { z } from 'zod';
import type { Context } from './context.ts';
import { time } from './http/schema.ts';

const causes = ['owner', 'admin', 'batch', 'account'] as const;
const deletedMatch = z
  .object({
    job_hash: z.string().describe('hex SHA-256 of its id'),
    record_number: z.number().int().nullable().describe('in the chain of commitments; null: deleted before it had one'),
    commitment: z.string().nullable(),
    game_number: z.number().int().nullable().describe('of the match in its batch'),
    played: z.boolean().describe('whether it was finished'),
    deleted_at: time,
    deleted_by: z
      .enum(causes)
      .describe('batch: with its batch; account: after the account of its owner or of a player was deleted'),
  })
  .meta({ id: 'DeletedMatch' });

const count = z.number().int();
export const matchCounts = z
  .object({
    planned: count.describe('of the plan; of the platform: matches that were played'),
    counted: count.describe('that the numbers of this response are computed from'),
    pending: count,
    running: count,
    failed: count,
    no_contest: count,
    not_public: count.describe('played, but not readable by the caller'),
    not_created: count.describe('of a batch that creates no more'),
    deleted: count,
    deleted_after_play: count,
    note: z.string().describe('the counts as a sentence'),
    deleted_matches: z.array(deletedMatch).describe('what remains of them, at most 1,000'),
  })
  .meta({ id: 'MatchCounts' });
export type PresentedCounts = z.output<typeof matchCounts>;

/** Presents the counts of a number (countsOfNumber). `noun`: what is counted. */
export function presentCounts(
  counts: MatchCounts__Output,
  counted: number,
  { noun = 'matches', ...options }: { noun?: string; withNoContest?: boolean; computing?: boolean } = {},
): PresentedCounts {
  const ofNumber = countsOfNumber(counts, counted, options);
  return {
    planned: counts.planned,
    counted,
    pending: counts.pending,
    running: counts.running,
    failed: counts.failed,
    no_contest: counts.noContest,
    not_public: ofNumber.notPublic,
    not_created: counts.notCreated,
    deleted: counts.deleted,
    deleted_after_play: counts.deletedAfterPlay,
    note: countsSentence(ofNumber, noun),
    deleted_matches: counts.deletedMatches.map((one) => ({
      job_hash: one.jobHash,
      record_number: one.recordNumber || null,
      commitment: one.commitment || null,
      game_number: one.gameNumber || null,
      played: one.played,
      deleted_at: one.deletedAt,
      deleted_by: causes.find((known) => known === one.cause) ?? 'admin',
    })),
  };
}

export const deletionsNote = z
  .string()
  .nullable()
  .describe('matches of the platform that were deleted after they were played; null: none');

/** Presents the deletions that numbers over all matches lack. */
export async function readDeletionsNote({ simulation }: Pick<Context, 'simulation'>): Promise<string | null> {
  const counts = await simulation.countMatches({}, { caller: { kind: 'anonymous' } });
  return deletionsSentence(counts.deletedAfterPlay, recordsOf(counts));
}

/** Counts the matches of batches. */
export function countMatches({ simulation }: Pick<Context, 'simulation'>, ...batchIds: readonly string[]) {
  return simulation.countMatches({ batchIds: [...batchIds] }, { caller: { kind: 'anonymous' } });
}
