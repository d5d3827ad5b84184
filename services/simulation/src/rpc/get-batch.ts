import type { Context, SimulationHandlers } from '../context.ts';
import { listBatches as readBatches } from '../store/batches.ts';
import { firstJobsOf } from '../store/jobs.ts';
import { pageOf } from './page.ts';
import { presentJobs } from './present.ts';
import { presentBatches, presentWhole } from './present-batch.ts';

const mostJobsEach = 20;

export function getBatch(context: Context): SimulationHandlers['getBatch'] {
  return async (request) => {
    return presentWhole(context, request.batchId);
  };
}

/** Newest first, without standings. */
export function listBatches(context: Context): SimulationHandlers['listBatches'] {
  return async (request, { caller }) => {
    const { page, pageSize } = pageOf(request);
    const { batches, total } = await readBatches(context.prisma, page, pageSize);
    const each = Math.min(request.jobsEach, mostJobsEach);
    const [presented, jobs] = await Promise.all([
      presentBatches(context, batches),
      firstJobsOf(
        context.prisma,
        batches.map((batch) => batch.id),
        each,
      ).then((stored) => presentJobs(context, stored, caller)),
    ]);
    return {
      batches: presented.map((batch) => ({ ...batch, firstJobs: jobs.filter((job) => job.batchId === batch.id) })),
      total,
    };
  };
}
