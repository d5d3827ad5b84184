import { requireUser } from '@husky/runtime/caller';
import { messageOf } from '@husky/runtime/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { isId, jobNotFound, requireOwnerOrAdmin } from '../domain/access.ts';
import { beginDeletion } from '../store/deletion.ts';
import { findJob } from '../store/jobs.ts';
import { completeDeletion } from '../work/sweeper.ts';

export function deleteJob(context: Context): SimulationHandlers['deleteJob'] {
  return async (request, call) => {
    requireUser(call.caller);
    const job = isId(request.jobId) ? await findJob(context.prisma, request.jobId) : null;
    if (!job) throw jobNotFound();
    requireOwnerOrAdmin(call.caller, job.ownerId);
    const cancelled = await beginDeletion(context.pool, job.id, context.now());
    await completeDeletion(context, job.id).catch((error: unknown) => {
      context.log.warn(`the deletion of job ${job.id} is left to the sweeper: ${messageOf(error)}`);
    });
    return { cancelled };
  };
}
