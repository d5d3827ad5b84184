import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { findJob, setHeld } from '../store/jobs.ts';
import { presentOne } from './present.ts';

/** A held job is on a leaderboard and cannot be deleted. */
export function holdJob(context: Context): SimulationHandlers['holdJob'] {
  return async (request, { caller }) => {
    return changeHold(context, request.jobId, true, caller);
  };
}

export function releaseJob(context: Context): SimulationHandlers['releaseJob'] {
  return async (request, { caller }) => {
    return changeHold(context, request.jobId, false, caller);
  };
}

async function changeHold(context: Context, jobId: string, held: boolean, caller: Caller) {
  const changed = isUuid(jobId) && (await setHeld(context.pool, jobId, held));
  const job = isUuid(jobId) ? await findJob(context.prisma, jobId) : null;
  if (!job) throw jobNotFound();
  if (!changed) {
    throw new DomainError(
      'FAILED_PRECONDITION',
      'job-not-finished',
      'Only a finished job can be put on a leaderboard.',
    );
  }
  return presentOne(context, job, caller);
}
