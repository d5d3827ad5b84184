import type { Context, SimulationHandlers } from '../context.ts';
import { audits } from '../store/also.ts';
import { beginBatchDeletion } from '../store/batch-changes.ts';
import type { LockedBatch } from '../store/batches.ts';
import { requireBatch } from './present-batch.ts';

/** Gone at once for everybody; its hands are purged in the background. */
export function deleteBatch(context: Context): SimulationHandlers['deleteBatch'] {
  return async (request, { caller: user }) => {
    const { id, shownNumber: batch_number } = await requireBatch(context, request.batchId);
    const entry = { action: 'batch.deleted', subjectKind: 'batch', subjectId: id };
    const also = ({ state, total_jobs }: LockedBatch) =>
      audits(user, { ...entry, before: { batch_number, state, total_jobs } });
    const counts = await beginBatchDeletion(context.pool, id, context.now(), also);
    context.relay.kick();
    context.worker.kick();
    return counts;
  };
}
