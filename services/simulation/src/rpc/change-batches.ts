import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import type { DeleteBatchResponse } from '@husky/contracts/types/simulation/v1/DeleteBatchResponse';
import type { Context, SimulationHandlers } from '../context.ts';
import { auditWriter } from '../store/audit.ts';
import {
  type BatchAuditWriter,
  batchEnded,
  beginBatchDeletion,
  cancelBatch as storeCancel,
  pauseBatch as storePause,
  retryBatch as storeRetry,
} from '../store/batch-changes.ts';
import { presentBatchDetails, requireBatch } from './present-batches.ts';

type Change = (context: Context, id: string, writeAudit: BatchAuditWriter) => Promise<void>;

function changeByAdmin(context: Context, verb: string, change: Change): SimulationHandlers['pauseBatch'] {
  return async (request, { caller: admin }): Promise<Batch> => {
    const { id } = await requireBatch(context, request.batchId);
    const subject = { action: `batch.${verb}`, subjectKind: 'batch', subjectId: id };
    await change(context, id, ({ state, paused }) => auditWriter(admin, { ...subject, before: { state, paused } }));
    context.relay.kick();
    context.worker.kick();
    return presentBatchDetails(context, id);
  };
}

export const pauseBatch = (context: Context) =>
  changeByAdmin(context, 'paused', ({ pool, now }, id, writeAudit) =>
    storePause(pool, id, 'paused', now(), writeAudit),
  );
export const resumeBatch = (context: Context) =>
  changeByAdmin(context, 'resumed', ({ pool, now }, id, writeAudit) =>
    storePause(pool, id, 'resumed', now(), writeAudit),
  );
export const cancelBatch = (context: Context) =>
  changeByAdmin(context, 'cancelled', async ({ pool, now }, id, writeAudit) => {
    if (!(await storeCancel(pool, id, 'The batch was cancelled.', now(), { writeAudit }))) throw batchEnded();
  });
export const retryBatch = (context: Context) =>
  changeByAdmin(context, 'retried', ({ pool, now }, id, writeAudit) => storeRetry(pool, id, now(), writeAudit));

/** Hides the batch immediately. Its hands are purged in the background. */
export function deleteBatch(context: Context): SimulationHandlers['deleteBatch'] {
  return async (request, { caller: admin }): Promise<DeleteBatchResponse> => {
    const { id, shownNumber: batch_number } = await requireBatch(context, request.batchId);
    const subject = { action: 'batch.deleted', subjectKind: 'batch', subjectId: id };
    const counts = await beginBatchDeletion(context.pool, id, context.now(), ({ state, totalJobs: total_jobs }) =>
      auditWriter(admin, { ...subject, before: { batch_number, state, total_jobs } }),
    );
    context.relay.kick();
    context.worker.kick();
    return counts;
  };
}
