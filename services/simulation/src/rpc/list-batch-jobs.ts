import type { Context, SimulationHandlers } from '../context.ts';
import { listJobs } from '../store/jobs.ts';
import { statesOf } from './list-jobs.ts';
import { pageOf } from './page.ts';
import { presentJobs } from './present.ts';
import { requireBatch } from './present-batch.ts';

/** In the order of their game numbers. */
export function listBatchJobs(context: Context): SimulationHandlers['listBatchJobs'] {
  return async (request, { caller }) => {
    const batch = await requireBatch(context, request.batchId);
    const { page, pageSize } = pageOf(request);
    const filter = { batchId: batch.id, kinds: [], states: statesOf(request.status), idBegins: '' };
    const { jobs, total } = await listJobs(context.prisma, filter, page, pageSize);
    return { jobs: await presentJobs(context, jobs, caller), total };
  };
}
