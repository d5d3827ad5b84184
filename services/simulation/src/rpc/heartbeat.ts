import type { Context, SimulationHandlers } from '../context.ts';
import { findJob } from '../store/jobs.ts';
import { beat } from '../store/leases.ts';

/** Renews the lease; a lease that is not current any more is told to cancel. */
export function heartbeat(context: Context): SimulationHandlers['heartbeat'] {
  return async (request, { caller: lease }) => {
    const news = {
      state: request.state === 'RUNNER_STATE_UNSPECIFIED' ? ('ACQUIRED' as const) : request.state,
      handsDone: request.handsDone,
      handsPerSecond: request.handsPerSecond,
      usage: request.usage,
      totals: request.totals,
    };
    const options = { now: context.now(), leaseSeconds: context.settings.leaseSeconds };
    if (await beat(context.pool, lease, lease.runner, news, options)) return { cancel: false };
    return { cancel: true, reason: await whyNotCurrent(context, lease) };
  };
}

async function whyNotCurrent(context: Context, lease: { jobId: string; attempt: number }): Promise<string> {
  const job = await findJob(context.prisma, lease.jobId);
  if (!job) return 'The job was deleted.';
  if (job.state === 'FAILED') return `The job was ended: ${job.errorMessage}`;
  if (job.state === 'FINISHED') return 'The match is finished.';
  return 'The lease was lost: the match is played anew.';
}
