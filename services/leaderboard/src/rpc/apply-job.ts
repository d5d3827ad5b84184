import type { ApplyJobResponse } from '@husky/contracts/types/leaderboard/v1/ApplyJobResponse';
import { spanAttribute } from '@husky/runtime/telemetry/trace-context';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { alreadyApplied, deltasOf, jobIdOf } from '../domain/job-deltas.ts';
import { holdCountable } from '../holds.ts';
import { inTraceOf } from '../in-trace-of.ts';
import { presentEntry } from '../present.ts';
import { applyDeltas, isApplied } from '../store/applied-jobs.ts';
import { withJobLock } from '../store/job-lock.ts';

/** Adds a finished match to the 2025 standing. */
export function applyJob(context: Context): LeaderboardHandlers['applyJob'] {
  return async (request, { caller: admin }): Promise<ApplyJobResponse> => {
    const jobId = jobIdOf(request);
    const { updated, created } = await withJobLock(context.pool, jobId, async (client) => {
      if (await isApplied(client, jobId)) throw alreadyApplied();
      const job = await holdCountable(context, client, jobId);
      const attributes = { [spanAttribute.jobId]: jobId };
      return inTraceOf(job.traceparent, attributes, () =>
        applyDeltas(client, { id: jobId, appliedBy: admin, deltas: deltasOf(job) }, context.now()),
      );
    });
    context.relay.kick();
    return { updated: updated.map(presentEntry), created: created.map(presentEntry) };
  };
}
