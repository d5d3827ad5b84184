import { requireAdmin } from '@husky/runtime/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import { listBatches as readBatches } from '../store/batches.ts';
import { pageOf } from './page.ts';
import { presentBatches, presentWhole } from './present-batch.ts';

export function getBatch(context: Context): SimulationHandlers['getBatch'] {
  return async (request, call) => {
    requireAdmin(call.caller);
    return presentWhole(context, request.batchId);
  };
}

/** Newest first, without standings. */
export function listBatches(context: Context): SimulationHandlers['listBatches'] {
  return async (request, call) => {
    requireAdmin(call.caller);
    const { page, pageSize } = pageOf(request);
    const { batches, total } = await readBatches(context.prisma, page, pageSize);
    return { batches: await presentBatches(context, batches), total };
  };
}
