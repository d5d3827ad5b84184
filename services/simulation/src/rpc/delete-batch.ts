import { requireAdmin } from '@husky/runtime/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import { beginBatchDeletion } from '../store/batch-changes.ts';
import { requireBatch } from './present-batch.ts';

/** Gone at once for everybody; its hands are purged in the background. */
export function deleteBatch(context: Context): SimulationHandlers['deleteBatch'] {
  return async (request, call) => {
    requireAdmin(call.caller);
    const { id } = await requireBatch(context, request.batchId);
    const counts = await beginBatchDeletion(context.pool, id, context.now());
    context.worker.kick();
    return counts;
  };
}
