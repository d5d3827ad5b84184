import type { CountJobsResponse } from '@husky/contracts/types/simulation/v1/CountJobsResponse';
import type { LastTestRunsResponse } from '@husky/contracts/types/simulation/v1/LastTestRunsResponse';
import type { ListBotVersionsResponse } from '@husky/contracts/types/simulation/v1/ListBotVersionsResponse';
import type { ListJobsResponse } from '@husky/contracts/types/simulation/v1/ListJobsResponse';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import { readsSealed } from '../access.ts';
import type { Context, SimulationHandlers } from '../context.ts';
import { type QueueClass, queueClasses } from '../domain/job.ts';
import { type JobState, statesFor } from '../domain/job-state.ts';
import { newestTestRuns, countJobs as readCount, listJobs as readJobs } from '../store/jobs.ts';
import { botVersionsOf } from '../store/runners.ts';
import { requireBatch } from './present-batches.ts';
import { presentJobs } from './present-jobs.ts';

const maxBots = 100;

export function listJobs(context: Context): SimulationHandlers['listJobs'] {
  return async (request, { caller }): Promise<ListJobsResponse> => {
    const page = pageOf(request);
    const { ownerId, playerId } = request;
    if ([ownerId, playerId].some((id) => id !== '' && !isUuid(id))) return { jobs: [], total: 0 };
    const filter = {
      ...(ownerId === '' ? {} : { ownerId }),
      ...(playerId === '' ? {} : { playerId }),
      kinds: request.kinds.filter((kind): kind is QueueClass => queueClasses.some((known) => known === kind)),
      states: statesOf(request.status),
      idPrefix: request.q,
      runningFirst: request.runningFirst,
      openOnly: !readsSealed(caller),
    };
    const { jobs, total } = await readJobs(context.pool, filter, page);
    return { jobs: await presentJobs(context, jobs, caller), total };
  };
}

/** Lists the jobs of a batch by game number. */
export function listBatchJobs(context: Context): SimulationHandlers['listBatchJobs'] {
  return async (request, { caller }): Promise<ListJobsResponse> => {
    const batch = await requireBatch(context, request.batchId);
    const page = pageOf(request);
    const filter = { batchId: batch.id, kinds: [], states: statesOf(request.status), idPrefix: '' };
    const { jobs, total } = await readJobs(context.pool, filter, page);
    return { jobs: await presentJobs(context, jobs, caller), total };
  };
}

export function countJobs(context: Context): SimulationHandlers['countJobs'] {
  return async (): Promise<CountJobsResponse> => {
    return { jobCount: await readCount(context.pool) };
  };
}

/** Lists the bots that a user played finished matches with. An unknown user has none. */
export function listBotVersions(context: Context): SimulationHandlers['listBotVersions'] {
  return async ({ userId }): Promise<ListBotVersionsResponse> => {
    const versions = isUuid(userId) ? await botVersionsOf(context.pool, userId) : [];
    return {
      versions: versions.map(({ firstEndedAt, lastEndedAt, ...version }) => ({
        ...version,
        firstEndedAt: firstEndedAt.toISOString(),
        lastEndedAt: lastEndedAt.toISOString(),
      })),
    };
  };
}

/** Returns the caller's newest test run of each bot, in any state. Bots without one are omitted. */
export function lastTestRuns(context: Context): SimulationHandlers['lastTestRuns'] {
  return async (request, { caller }): Promise<LastTestRunsResponse> => {
    if (request.botHashes.length > maxBots) {
      throw new DomainError('INVALID_ARGUMENT', 'too-many-bots', `At most ${maxBots} bots can be asked for.`);
    }
    const runs = await newestTestRuns(context.pool, caller.id, request.botHashes);
    const jobs = await presentJobs(context, [...runs.values()], caller);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    return { runs: [...runs].map(([botHash, { id }]) => ({ botHash, job: byId.get(id) ?? null })) };
  };
}

function statesOf(status: string): readonly JobState[] {
  const states = statesFor(status);
  if (states) return states;
  throw new DomainError('INVALID_ARGUMENT', 'status-invalid', 'A status is Pending, Running, Finished or Failed.');
}
