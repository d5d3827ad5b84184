import { messageOf } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { audits } from '../store/also.ts';
import { beginDeletion } from '../store/deletion.ts';
import { findJob } from '../store/jobs.ts';
import { completeDeletion } from '../work/sweeper.ts';

export function deleteJob(context: Context): SimulationHandlers['deleteJob'] {
  return async (request, call) => {
    const job = isUuid(request.jobId) ? await findJob(context.prisma, request.jobId) : null;
    if (!job) throw jobNotFound();
    const user = call.check(job.ownerId);
    const before = { kind: job.kind, state: job.state, owner_id: job.ownerId };
    const also = audits(user, { action: 'job.deleted', subjectKind: 'job', subjectId: job.id, before });
    const cancelled = await beginDeletion(context.pool, job.id, context.now(), also);
    context.relay.kick();
    await completeDeletion(context, job.id).catch((error: unknown) => {
      context.log.warn(`the deletion of job ${job.id} is left to the sweeper: ${messageOf(error)}`);
    });
    return { cancelled };
  };
}
