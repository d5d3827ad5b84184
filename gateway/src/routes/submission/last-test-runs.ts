import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { summarizeFaults } from '@husky/match/fault-summary';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { Context } from '../../context.ts';
import { jobStatusName } from '../sim/present.ts';

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
  return { job_id: job.id, job_status: jobStatusName(job), faults };
}
