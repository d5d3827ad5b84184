import { requireAdmin } from '@husky/runtime/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import { audits } from '../store/also.ts';
import { beginBatchDeletion } from '../store/batch-changes.ts';
import { requireBatch } from './present-batch.ts';

/** Gone at once for everybody; its hands are purged in the background. */
export function deleteBatch(context: Context): SimulationHandlers['deleteBatch'] {
  return async (request, call) => {
    const user = requireAdmin(call.caller);
    const batch = await requireBatch(context, request.batchId);
    const { id } = batch;
    const before = { batch_number: batch.batchNumber, state: batch.state, total_jobs: batch.totalJobs };
    const also = audits(user, { action: 'batch.deleted', subjectKind: 'batch', subjectId: id, before });
    const counts = await beginBatchDeletion(context.pool, id, context.now(), also);
    context.relay.kick();
    context.worker.kick();
    return counts;
  };
}
