import { stacksModes } from '@husky/match/stacks';
import { z } from 'zod';
import { envelope, pageQuery, time } from '../../http/schema.ts';
import { matchCounts } from '../../match-counts.ts';
import { faultFields } from '../sim/faults.ts';
import { matchMode, matchModes, modeFields } from '../sim/schema.ts';

const users = z
  .array(z.string().min(1).max(64))
  .min(6, 'must name at least 6 users')
  .max(20, 'must name at most 20 users');
const defaultStacks = { classic: 'carry', duplicate: 'reset' } as const;
const options = {
  mode: z.enum(matchModes, "must be 'classic' or 'duplicate'").default('classic'),
  stacks: z.enum(stacksModes, "must be 'carry' or 'reset'").optional().describe('default: carry; of duplicate: reset'),
  design: z
    .enum(['all', 'balanced'], "must be 'all' or 'balanced'")
    .default('all')
    .describe(
      'all: a table for every 6 of the users; balanced: tables within hand_budget, pairs meet equally often or nearly',
    ),
  num_rounds: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('hands of a match; by default 1,000, or what the platform is configured for'),
  hand_budget: z.coerce.number().int().min(1).max(1e12).optional().describe('of a balanced design'),
};
export const batchPlanQuery = z.object({ users: z.coerce.number().int().min(6).max(20), ...options });
const stopRule = z.strictObject({
  users: z.array(z.string().min(1).max(64)).length(2, 'must name two users').optional().describe('absent: all pairs'),
  alpha: z
    .number()
    .min(0.001)
    .max(0.5)
    .default(0.05)
    .describe('probability that any of its intervals ever misses, and so of a false decision'),
  margin: z
    .number()
    .min(0)
    .max(1e6)
    .default(0)
    .describe('chips per 100 hands; smaller differences count as equal; 0: none'),
});
export type StopRuleBody = z.output<typeof stopRule>;
const batchOptions = z
  .strictObject({
    users_list: users,
    ...options,
    stop_rule: stopRule
      .optional()
      .describe("ends the batch when its pairs are decided; cannot be changed; needs the stacks 'carry'"),
    public: z.boolean().default(false).describe('public from the start; its plan in the chain promises it'),
  })
  .refine(({ mode, stacks = defaultStacks[mode], stop_rule }) => stop_rule === undefined || stacks === 'carry', {
    path: ['stop_rule'],
    message:
      "needs the stacks 'carry': with stacks that are reset after each hand, a match can be won or lost many stacks, so that no test of its results keeps its error rate",
  });
export type BatchOptions = Partial<Omit<z.output<typeof batchOptions>, 'users_list' | 'stop_rule' | 'public'>>;
export const batchRunBody = z.union([users, batchOptions], {
  // Names the first bad option of an object with good users.
  error: ({ input }) => {
    const bad = batchOptions.safeParse(input).error?.issues.find(({ path }) => path[0] !== undefined);
    return bad && bad.path[0] !== 'users_list'
      ? `${String(bad.path[0])}: ${bad.message}`
      : 'must name 6 to 20 users, as an array or as users_list';
  },
});
export const batchRun = z.object({ batch_id: z.string(), total_jobs: z.number().int() });
const range = z.object({ min: z.number().int(), max: z.number().int() });
export const batchPlan = z
  .object({
    mode: matchMode,
    stacks: z.enum(stacksModes),
    design: z.enum(['all', 'balanced']),
    hand_budget: z.number().int().nullable(),
    tables: z.number().int().describe('groups of six players; a duplicate batch has a deal set for each'),
    matches: z.number().int(),
    hands: z.number().int().describe('at most'),
    tables_of_player: range,
    tables_of_pair: range.describe('at which two players meet'),
  })
  .meta({ id: 'BatchPlan' });

export const batchParams = z.object({ id: z.string().min(1).max(64) });
export const gameParams = z.object({ game_id: z.string().min(1).max(64) });
export const batchesQuery = z.object(pageQuery(20, 100));
export const batchJobsQuery = z.object({ ...pageQuery(100), status: z.string().max(20).default('') });

export const jobStatuses = z.object({
  PENDING: z.number().int(),
  RUNNING: z.number().int(),
  FINISHED: z.number().int(),
  FAILED: z.number().int(),
  DELETED: z.number().int().describe('neither pending nor failed: not played again'),
});
const batchJob = z
  .object({
    job_id: z.string(),
    status: z.enum(['PENDING', 'RUNNING', 'FINISHED', 'FAILED']),
    users_to_run: z.array(z.string()),
    game_number: z.number().int(),
    error_message: z.string().nullable(),
    result_data: z.record(z.string(), z.number()).nullable(),
    ...faultFields,
    ...modeFields,
    hands_done: z.number().int(),
    completed_at: time.nullable(),
  })
  .meta({ id: 'BatchJob' });
const bound = z.number().nullable().describe('bound of the differences that the intervals of the two allow');
export const anytimeIntervals = z.array(
  z.object({
    username: z.string(),
    tables: z.number().int().describe('tables of the player that the rule has read'),
    mean: z.number().describe('winnings over hands of these, in chips per 100 hands'),
    low: z.number().describe('of the interval that holds after every table, together with all others'),
    high: z.number(),
  }),
);
/** The stopping rule of a batch; in responses about a single batch also its course. */
export const batchStop = z
  .object({
    users: z.array(z.string()).nullable().describe('null: all pairs'),
    alpha: z.number(),
    margin: z.number().nullable().describe('chips per 100 hands'),
    stopped_at: time.nullable(),
    outdated: z
      .boolean()
      .describe('a rule of an earlier version, whose error rate did not hold: it decides nothing any more'),
    players: anytimeIntervals.nullable().describe('null: as pairs'),
    pairs: z
      .array(
        z.object({
          users: z.array(z.string()),
          course: z.array(
            z.object({
              tables: z.number().int().describe('at which one of them sat'),
              mean: z.number().describe("the first user's rate less the second's, in chips per 100 hands"),
              low: bound,
              high: bound,
              decision: z.enum(['better', 'worse', 'equivalent', 'continue']),
            }),
          ),
        }),
      )
      .nullable()
      .describe('null: not part of this response. A rule for all pairs has only the last step of each course'),
  })
  .meta({ id: 'BatchStop' });
const standing = z.object({ username: z.string(), delta: z.number(), matches: z.number().int() });
export const batch = z
  .object({
    batch_id: z.string(),
    batch_number: z.number().int().describe('batch_number of its metadata, else its own number'),
    created_at: time,
    username: z.string().describe('who started it'),
    total_jobs: z.number().int(),
    generated_jobs: z.number().int(),
    job_statuses: jobStatuses,
    jobs: z.array(batchJob).describe('the first jobs only; /llm/batch/{id}/jobs pages them all'),
    users: z.array(z.string()),
    state: z.string().describe('Preparing, Generating, Ready, Cancelled, Stopped (by its rule), Failed'),
    paused: z.boolean(),
    problem: z.string().nullable(),
    is_public: z.boolean(),
    on_leaderboard: z.boolean(),
    num_rounds: z.number().int(),
    plan: batchPlan,
    stop: batchStop.nullable().describe('null: no stopping rule'),
    hands_per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
  })
  .meta({ id: 'Batch' });
export const batchDetail = batch
  .omit({ jobs: true })
  .extend({ standings: z.array(standing), counts: matchCounts })
  .meta({ id: 'BatchDetail' });
export const batches = z.object({ batches: z.array(batch), ...envelope });
export const batchJobs = z.object({ jobs: z.array(batchJob), ...envelope });

export const deletedBatch = z.object({
  message: z.string(),
  jobs_deleted: z.number().int(),
  jobs_finished: z.number().int(),
  jobs_cancelled: z.number().int(),
});
export const arenaStatus = z.object({
  all_added: z.boolean().describe('every finished job of the batch is on the leaderboard'),
  jobs_added: z.number().int(),
  jobs_finished: z.number().int(),
  total_jobs: z.number().int(),
  jobs_deleted: z.number().int().describe('of total_jobs; they are in no result'),
});
export const processed = arenaStatus.extend({
  message: z.string(),
  jobs_added_now: z.number().int(),
  jobs_unfinished: z.number().int().describe('neither finished nor deleted'),
  entries_created: z.number().int(),
  entries_updated: z.number().int(),
});
export const unprocessed = z.object({
  message: z.string(),
  jobs_removed: z.number().int(),
  entries_updated: z.number().int(),
  entries_removed: z.number().int(),
  skipped: z.array(z.string()),
});
export const metadata = z.object({
  batch_id: z.string(),
  metadata_id: z.string().nullable(),
  batch_metadata: z.looseObject({}),
  batch_entries_count: z.number().int(),
});
export const metadataBody = z.looseObject({}).describe('a JSON object of at most 64 KB, stored as it is');
export const metadataQuery = z.object({
  expected_metadata_id: z.string().max(64).optional().describe('409 when somebody else has saved since'),
});
export const savedMetadata = z.object({
  metadata_id: z.string(),
  batch_entries_updated: z.number().int(),
  action: z.string(),
});
export const batchOrder = z.object({
  batch_order: z.number().int().describe("the batch's number as it is shown"),
  batch_id: z.string(),
  game_number: z.number().int().describe('of the match in its batch'),
  total_batches: z.number().int().describe('batches of the platform'),
});
export const publicBody = z.strictObject({ public: z.boolean().optional() }).default({});
export const batchPublic = z.object({
  batch_id: z.string(),
  is_public: z.boolean(),
  affected_jobs: z.number().int(),
  affected_logs: z.number().int(),
});
