import type { BatchHold } from '@husky/contracts/types/simulation/v1/BatchHold';
import type { DeleteJobResponse } from '@husky/contracts/types/simulation/v1/DeleteJobResponse';
import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import type { ListBatchResultsResponse } from '@husky/contracts/types/simulation/v1/ListBatchResultsResponse';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { batchNotFound, jobNotFound } from '../domain/job.ts';
import { purgeJob } from '../purge-job.ts';
import { auditWriter } from '../store/audit.ts';
import { findHold, finishedGames, setBatchHeld } from '../store/batches.ts';
import { beginDeletion } from '../store/deletion.ts';
import { setHeld } from '../store/jobs.ts';
import { findJob } from '../store/stored-job.ts';
import { presentJob } from './present-jobs.ts';

const maxGames = 2000;

/** Holds a finished job that is on a leaderboard, so that it cannot be deleted. */
export function holdJob(context: Context): SimulationHandlers['holdJob'] {
  return (request, { caller }): Promise<Job> => changeJobHold(context, request.jobId, true, caller);
}

export function releaseJob(context: Context): SimulationHandlers['releaseJob'] {
  return (request, { caller }): Promise<Job> => changeJobHold(context, request.jobId, false, caller);
}

async function changeJobHold(context: Context, jobId: string, held: boolean, caller: Caller) {
  const changed = isUuid(jobId) && (await setHeld(context.pool, jobId, held));
  const job = isUuid(jobId) ? await findJob(context.pool, jobId) : null;
  if (!job) throw jobNotFound();
  if (!changed) {
    const message = 'Only a finished job can be put on a leaderboard.';
    throw new DomainError('FAILED_PRECONDITION', 'job-not-finished', message);
  }
  return { ...(await presentJob(context, job, caller)), traceparent: job.traceContext };
}

/** Holds a batch that is on the leaderboard, so that neither it nor its jobs can be deleted. */
export function holdBatch(context: Context): SimulationHandlers['holdBatch'] {
  return (request): Promise<BatchHold> => changeBatchHold(context, request.batchId, true);
}

export function releaseBatch(context: Context): SimulationHandlers['releaseBatch'] {
  return (request): Promise<BatchHold> => changeBatchHold(context, request.batchId, false);
}

async function changeBatchHold(context: Context, batchId: string, held: boolean) {
  if (!isUuid(batchId) || !(await setBatchHeld(context.prisma, batchId, held))) throw batchNotFound();
  const batch = await findHold(context.pool, batchId);
  if (!batch) throw batchNotFound();
  const { held: isHeld, totalJobs, finishedJobs, traceparent } = batch;
  return { batchId, held: isHeld, totalJobs, finishedJobs, traceparent };
}

/** Lists finished games by game number. A limit of 0 requests only the counts. */
export function listBatchResults(context: Context): SimulationHandlers['listBatchResults'] {
  return async ({ batchId, afterGame, limit }): Promise<ListBatchResultsResponse> => {
    const batch = isUuid(batchId) ? await findHold(context.pool, batchId) : undefined;
    if (!batch) throw batchNotFound();
    const games =
      limit <= 0 ? [] : await finishedGames(context.pool, batchId, Math.max(0, afterGame), Math.min(limit, maxGames));
    const { totalJobs, finishedJobs, deletedJobs } = batch;
    return { games, totalJobs, finishedJobs, deletedJobs };
  };
}

/** Hides the job and purges it immediately if live-data is available; otherwise the sweeper purges it later. */
export function deleteJob(context: Context): SimulationHandlers['deleteJob'] {
  return async (request, call): Promise<DeleteJobResponse> => {
    const job = isUuid(request.jobId) ? await findJob(context.pool, request.jobId) : null;
    if (!job) throw jobNotFound();
    const user = call.check(job.ownerId);
    const before = { kind: job.kind, state: job.state, owner_id: job.ownerId };
    const entry = { action: 'job.deleted', subjectKind: 'job', subjectId: job.id, before };
    const cancelled = await beginDeletion(context.pool, job.id, {
      by: user.id === job.ownerId ? 'owner' : 'admin',
      now: context.now(),
      writeAudit: auditWriter(user, entry),
    });
    context.relay.kick();
    await purgeJob(context, job.id).catch((error: unknown) => {
      context.log.warn({ jobId: job.id }, `purge failed, the sweeper will retry: ${messageOf(error)}`);
    });
    return { cancelled };
  };
}
