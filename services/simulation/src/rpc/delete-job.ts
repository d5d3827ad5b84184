import type { DeleteJobResponse } from '@husky/contracts/types/simulation/v1/DeleteJobResponse';
import { isUuid } from '@husky/runtime/process/uuid';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { purgeJob } from '../purge-job.ts';
import { auditWriter } from '../store/audit.ts';
import { beginDeletion } from '../store/deletion.ts';
import { findJob } from '../store/stored-job.ts';

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
