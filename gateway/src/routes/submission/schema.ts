import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { summarizeFaults } from '@husky/match/fault';
import type { Caller } from '@husky/runtime/rpc/caller';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { time } from '../../http/schema.ts';
import { signedHead } from '../../signatures.ts';
import { botFaults, presentBot } from '../sim/faults.ts';
import { jobStatusName } from '../sim/present.ts';

export const uploadQuery = z.object({
  nonce: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'a nonce has 64 digits of 0 to 9 and a to f')
    .optional()
    .describe('32 random bytes in hex, drawn by the uploader: the cards of its matches depend on them'),
});
const nonce = z.string().nullable().describe('as it was uploaded; null: none');
export const uploadResponse = z.object({
  submission_id: z.string(),
  message: z.string(),
  status_code: z.number().int(),
  warnings: z.array(z.string()).describe('sentences about what the check of player.py could not see'),
  state: z.enum(['ready', 'preparing']).describe('preparing: status 202; GET /submission/list says how it ends'),
  nonce,
  signed_head: signedHead,
});
const outcome = z
  .enum(['waiting', 'running', 'passed', 'failed', 'none'])
  .describe(
    'of its test run of ten hands, which each upload plays by itself; none: a newer upload replaced it, or none is allowed',
  );
export const botFindings = z.object({
  problem: z.string().nullable().describe('why an upload would be refused; null: it would not be'),
  warnings: uploadResponse.shape.warnings,
});
export const submission = z
  .object({
    id: z.string(),
    player_file: z.string(),
    package_file: z.string(),
    final: z.boolean(),
    nonce,
    created_at: time,
    state: z
      .enum(['ready', 'preparing', 'refused'])
      .describe('ready: it can be final; preparing: its packages are being prepared; refused: they cannot be used'),
    step: z
      .enum(['waiting', 'resolving', 'downloading', 'packing'])
      .nullable()
      .describe('of a submission that is preparing'),
    reason: z.string().describe('why it is refused, or how the last try to prepare it failed; empty: no failure'),
    test_run: outcome,
    last_test_run: z
      .object({
        job_id: z.string(),
        job_status: z.string(),
        faults: z
          .string()
          .describe("how the bot failed, a phrase that follows the bot's name; empty: no failure is known"),
        bot_faults: botFaults.nullable().describe('null: not known'),
        error: z.string().nullable().describe('why the match failed'),
        queue_position: z.number().int().nullable(),
        hands_done: z.number().int(),
        num_rounds: z.number().int(),
      })
      .nullable()
      .describe("the caller's newest test run of exactly these two files"),
  })
  .meta({ id: 'Submission' });
export const submissionList = z.object({ files: z.array(submission) });
export const submissionFiles = z.union([
  z.object({ player_file: z.string(), package_file: z.string() }),
  z.object({ file_name: z.string(), file_data: z.string(), link: z.string().describe('opens the file for 60 s') }),
]);
export const submissionBody = z.strictObject({ submission_id: z.string().min(1).max(64) });
export const marked = z.object({
  message: z.string(),
  status_code: z.number().int(),
  warning: z.string().optional().describe('the last test run of exactly these files has failed'),
});
export const usersWithFinal = z.object({ users_list: z.array(z.string()) });

/** Reads the caller's newest test run of each bot, by the bot's hash. */
export async function readLastTestRuns(botHashes: readonly string[], context: Context, caller: Caller) {
  const { runs } = await context.simulation.lastTestRuns({ botHashes: [...new Set(botHashes)] }, { caller });
  return new Map(runs.flatMap(({ botHash, job }) => (job ? [[botHash, presentRun(job, caller)] as const] : [])));
}

function presentRun(job: Job__Output, caller: Caller) {
  const own = job.seatFaults.find(({ userId }) => caller.kind === 'user' && userId === caller.id);
  const faults = own
    ? summarizeFaults(own, own.firstText)
    : job.status === 'FAILED'
      ? `failed: ${job.errorMessage}`
      : '';
  return {
    job_id: job.id,
    job_status: jobStatusName(job),
    faults,
    bot_faults: own ? presentBot(job, own) : null,
    error: job.errorMessage || null,
    queue_position: job.queuePosition || null,
    hands_done: job.handsDone,
    num_rounds: job.numRounds,
  };
}

/** An upload without a test run is waiting for as long as its event may take. */
const startsWithinMs = 30_000;

/** Returns how the test run of an upload ended, or where it is. */
export function outcomeOf(
  { state, createdAt }: { readonly state: string; readonly createdAt: string },
  run: ReturnType<typeof presentRun> | null,
  now: number,
): z.infer<typeof outcome> {
  if (run === null) {
    const starts = state === 'preparing' || (state === 'ready' && now - Date.parse(createdAt) < startsWithinMs);
    return starts ? 'waiting' : 'none';
  }
  if (run.job_status === 'Pending') return 'waiting';
  if (run.job_status === 'Running') return 'running';
  return run.faults === '' ? 'passed' : 'failed';
}
