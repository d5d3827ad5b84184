import type { ApplyJobResponse } from '@husky/contracts/types/leaderboard/v1/ApplyJobResponse';
import type { Entry as EntryMessage } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { ListAppliedJobsResponse } from '@husky/contracts/types/leaderboard/v1/ListAppliedJobsResponse';
import type { UnapplyJobResponse } from '@husky/contracts/types/leaderboard/v1/UnapplyJobResponse';
import { uuidsOf } from '@husky/runtime/process/uuid';
import { spanAttribute } from '@husky/runtime/telemetry/trace-context';
import type { Context, LeaderboardHandlers } from '../context.ts';
import { alreadyApplied, deltasOf, jobIdOf } from '../domain/job-deltas.ts';
import type { Entry } from '../generated/client.ts';
import { holdCountable, inTraceOf, releaseJob } from '../holds.ts';
import { appliedAmong, applyDeltas, isApplied, unapplyDeltas, withJobLock } from '../store/applied-jobs.ts';

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

/** Removes a match from the 2025 standing. `updated` also counts entries that are deleted because no job remains in them. */
export function unapplyJob(context: Context): LeaderboardHandlers['unapplyJob'] {
  return async (request, { caller: admin }): Promise<UnapplyJobResponse> => {
    const jobId = jobIdOf(request);
    const { updated, skippedUserIds } = await withJobLock(context.pool, jobId, async (client) => {
      const result = await unapplyDeltas(client, jobId, admin, context.now());
      await releaseJob(context, client, jobId);
      return result;
    });
    context.relay.kick();
    return { updated: updated.map(presentEntry), skippedUserIds };
  };
}

const maxJobs = 1000;

/** Returns those of the given jobs that are on the 2025 leaderboard. */
export function listAppliedJobs(context: Context): LeaderboardHandlers['listAppliedJobs'] {
  return async (request): Promise<ListAppliedJobsResponse> => {
    const ids = uuidsOf(request.jobIds, maxJobs, 'jobs');
    return { jobIds: ids.length === 0 ? [] : await appliedAmong(context.pool, ids) };
  };
}

export function presentEntry(entry: Entry): EntryMessage {
  return {
    id: entry.id,
    userId: entry.userId,
    scoreCents: Number(entry.scoreCents),
    tag: entry.tag,
    timeCreated: entry.createdAt.toISOString(),
  };
}
