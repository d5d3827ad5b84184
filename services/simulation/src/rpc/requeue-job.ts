import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobNotFound } from '../domain/job.ts';
import { auditWriter } from '../store/audit.ts';
import { requeueStuck } from '../store/requeue.ts';
import { presentById } from './present-jobs.ts';

export function requeueJob(context: Context): SimulationHandlers['requeueJob'] {
  return async ({ jobId }, { caller: admin }): Promise<Job> => {
    if (!isUuid(jobId)) throw jobNotFound();
    const subject = { action: 'job.requeued', subjectKind: 'job', subjectId: jobId };
    await requeueStuck(context.pool, jobId, context.now(), (before) => auditWriter(admin, { ...subject, before }));
    context.relay.kick();
    return presentById(context, jobId, admin);
  };
}
