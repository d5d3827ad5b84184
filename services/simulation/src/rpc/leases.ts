import type { HandBackResponse } from '@husky/contracts/types/simulation/v1/HandBackResponse';
import type { HeartbeatResponse } from '@husky/contracts/types/simulation/v1/HeartbeatResponse';
import type { ReportLossResponse } from '@husky/contracts/types/simulation/v1/ReportLossResponse';
import type { Context, SimulationHandlers } from '../context.ts';
import { runnerState } from '../domain/job.ts';
import { jobState } from '../domain/job-state.ts';
import { causeClause, limitToSeats, limitUsage } from '../domain/loss.ts';
import { type Lease, loseAttempt, renewLease, handBack as storeHandBack } from '../store/leases.ts';
import { findJob } from '../store/stored-job.ts';

/** Renews the lease. The response has `cancel` if the lease is not current. */
export function heartbeat(context: Context): SimulationHandlers['heartbeat'] {
  return async (request, { caller: lease }): Promise<HeartbeatResponse> => {
    const { handsDone, handsPerSecond, totals } = request;
    const state = request.state === 'RUNNER_STATE_UNSPECIFIED' ? runnerState.acquired : request.state;
    const report = { state, handsDone, handsPerSecond, usage: limitUsage(request.usage), totals };
    const options = { now: context.now(), leaseSeconds: context.settings.leaseSeconds };
    if (await renewLease(context.pool, lease, lease.runner, report, options)) return { cancel: false };
    return { cancel: true, reason: await whyNotCurrent(context, lease) };
  };
}

async function whyNotCurrent(context: Context, lease: Lease): Promise<string> {
  const job = await findJob(context.pool, lease.jobId);
  if (!job) return 'The job was deleted.';
  if (job.state === jobState.failed) return `The job was ended: ${job.errorMessage}`;
  if (job.state === jobState.finished) return 'The match is finished.';
  return 'The lease was lost: the match is played anew.';
}

export function handBack(context: Context): SimulationHandlers['handBack'] {
  return async (request, { caller: lease }): Promise<HandBackResponse> => {
    const unfetched = limitToSeats(request.unfetched).map(({ seat, cause }) => ({ seat, cause: causeClause(cause) }));
    const why = { reason: causeClause(request.reason), unfetched };
    if (!(await storeHandBack(context.pool, lease, why, context.now()))) return {};
    for (const { seat, cause } of unfetched) {
      const facts = { jobId: lease.jobId, attempt: lease.attempt, seat, cause };
      context.log.warn(facts, `fetching the packages of seat ${seat + 1} failed: ${cause}`);
    }
    return {};
  };
}

export function reportLoss(context: Context): SimulationHandlers['reportLoss'] {
  return async (request, { caller: lease }): Promise<ReportLossResponse> => {
    const usage = limitUsage(request.usage);
    const loss = { cause: causeClause(request.cause), suspect: request.botSuspect, usage };
    await loseAttempt(context.pool, lease, loss, context.now());
    context.log.warn({ jobId: lease.jobId, attempt: lease.attempt }, `a runner lost its match: ${loss.cause}`);
    context.relay.kick();
    return {};
  };
}
