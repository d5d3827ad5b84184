import { opponents, testRunHands } from '@husky/contracts/test-runs';
import { stacksModes } from '@husky/match/stacks';
import { z } from 'zod';
import { pageQuery, queryInteger } from '../../http/schema.ts';
import { signedHead } from '../../signatures.ts';
import { faultFields } from './faults.ts';

export const resultData = z.record(z.string(), z.number()).describe('username -> final delta in dollars');

export const matchModes = ['classic', 'duplicate'] as const;
export const matchMode = z
  .enum(matchModes)
  .describe('duplicate: one deal set is played six times with the seats rotated, so that every bot holds every hand');

/** Fields of every job list and of a job's status. */
export const modeFields = {
  mode: matchMode,
  rotation: z.number().int().nullable().describe('of the six matches of its deal set, from 1; null: classic'),
  deal_set: z.string().nullable().describe('the same for all matches with the same cards; null: classic'),
};

export const ownJob = z
  .object({
    job_id: z.string(),
    job_status: z.string(),
    error: z.string().optional(),
    result_data: resultData.optional(),
    ...faultFields,
    ...modeFields,
    kind: z.enum(['test', 'match', 'batch']),
    against: z.string().nullable().describe('of a test run: its opponents; null: another kind of job'),
    created_at: z.string(),
    num_rounds: z.number().int(),
    hands_done: z.number().int(),
    queue_position: z.number().int().nullable(),
  })
  .meta({ id: 'OwnJob' });

export const jobStatus = z
  .object({
    job_id: z.string(),
    job_status: z.string(),
    result_data: resultData.optional(),
    ...faultFields,
    ...modeFields,
    kind: z.enum(['test', 'match', 'batch']),
    against: ownJob.shape.against,
    rotations: z
      .array(z.object({ rotation: z.number().int(), job_id: z.string(), job_status: z.string() }))
      .describe('the matches of its deal set that the caller may read; empty: classic'),
    deleted_rotations: z.array(z.number().int()).describe('those of its deal set that were deleted'),
    waiting_reason: z.string().nullable().describe('why a pending match gets no commitment; null: nothing is wrong'),
    error: z.string().optional(),
    players: z.array(z.string()),
    num_rounds: z.number().int(),
    stacks: z.enum(stacksModes).describe('reset: every hand starts with the starting stack'),
    hands_done: z.number().int(),
    hands_played: z.number().int().nullable(),
    ended_early: z.string().nullable().describe('why fewer hands than asked for were played'),
    queue_position: z.number().int().nullable(),
    batch_number: z.number().int().nullable(),
    game_number: z.number().int(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
    commitment: z.string().nullable().describe('hex SHA-256; null until a runner can claim the match'),
    public_input: z.string().nullable().describe('the JSON that the commitment is over, without its key seed'),
    committed_at: z
      .string()
      .nullable()
      .describe('when the commitment was made; null also for a match that was played before the chain began'),
  })
  .meta({ id: 'JobStatus' });

export const playedJob = ownJob
  .extend({
    players: z.array(z.string()),
    started_by_user: z.boolean().describe('whether the user started this job, and so may delete it'),
    rank: z
      .number()
      .int()
      .nullable()
      .describe("of the user's bot by money, from 1; null: no result, or it has no seat"),
    delta: z.number().nullable().describe("of the user's bot in dollars"),
    batch_number: z.number().int().nullable(),
    game_number: z.number().int(),
    completed_at: z.string().nullable(),
  })
  .meta({ id: 'PlayedJob' });

export const playedQuery = z.object({
  ...pageQuery(100),
  status: z.string().max(20).default(''),
  kind: z.enum(['', 'test', 'match', 'batch']).default(''),
  role: z.enum(['player', 'any']).default('player').describe('any: also jobs that the user only started'),
  username: z.string().max(64).default('').describe('another user, for admins; default: the caller'),
});

export const testRunQuery = z.object({
  against: z
    .enum(opponents, `is one of ${opponents.join(', ')}`)
    .default('house')
    .describe(
      'an example bot, heads-up; mix: a table of six with the house bot and four example bots, drawn at random',
    ),
  num_rounds: queryInteger(testRunHands.min, testRunHands.max, testRunHands.min),
});

const id = z.string().min(1).max(64).optional();
export const runAgainBody = z
  .strictObject({ job_id: id.describe('of a match of the bot'), submission_id: id })
  .refine(({ job_id: job, submission_id: submission }) => (job === undefined) !== (submission === undefined), {
    message: 'must have either job_id or submission_id',
  })
  .meta({ oneOf: [{ required: ['job_id'] }, { required: ['submission_id'] }] });

export const createdJob = z.object({
  job_id: z.string(),
  job_status: z.string(),
  status_code: z.number().int(),
  message: z.string(),
  warnings: z
    .array(z.string())
    .optional()
    .describe('of a test run: sentences about what the check of player.py could not see'),
  job_ids: z.array(z.string()).optional().describe('the six jobs of a duplicate match, by rotation'),
  signed_head: signedHead.optional(),
});

export const matchBody = z.strictObject({
  users_list: z.array(z.string().min(1).max(64)).length(6, 'must name exactly 6 users'),
  num_rounds: z.number().int().min(1).max(10_000).default(6),
  blind: z.number().int().min(1).max(60_000).default(10),
  blind_multiplier: z
    .number()
    .min(0.1)
    .max(1000)
    // Not multipleOf: 1.15 is not a multiple of 0.01 in binary floating point.
    .refine((value) => Number.isInteger(Number((value * 100).toPrecision(12))), 'must be in steps of 0.01')
    .default(1)
    .describe('in steps of 0.01'),
  blind_increase_interval: z.number().int().min(1).max(10_000).default(1),
  stacks: z
    .enum(stacksModes, "must be 'carry' or 'reset'")
    .optional()
    .describe(
      'reset, the default of duplicate matches: every hand starts with the starting stack, nobody is out, and all hands are played',
    ),
  mode: z.enum(matchModes, "must be 'classic' or 'duplicate'").default('classic'),
  public: z.boolean().default(false).describe('public from the start'),
});
