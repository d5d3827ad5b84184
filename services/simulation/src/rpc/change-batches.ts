import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import type { BatchMetadata } from '@husky/contracts/types/simulation/v1/BatchMetadata';
import type { DeleteBatchResponse } from '@husky/contracts/types/simulation/v1/DeleteBatchResponse';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { auditWriter } from '../store/audit.ts';
import {
  type BatchAuditWriter,
  batchEnded,
  beginBatchDeletion,
  saveMetadata,
  cancelBatch as storeCancel,
  pauseBatch as storePause,
  retryBatch as storeRetry,
} from '../store/batch-changes.ts';
import type { StoredBatch } from '../store/batches.ts';
import { refuseStage } from '../tournament/store/tournaments.ts';
import { presentBatchDetails, requireBatch } from './present-batches.ts';

type Change = (context: Context, id: string, writeAudit: BatchAuditWriter) => Promise<void>;

function changeByAdmin(context: Context, verb: string, change: Change): SimulationHandlers['pauseBatch'] {
  return async (request, { caller: admin }): Promise<Batch> => {
    const { id } = await requireBatch(context, request.batchId);
    await refuseStage(context.pool, id);
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
    await refuseStage(context.pool, id);
    const subject = { action: 'batch.deleted', subjectKind: 'batch', subjectId: id };
    const counts = await beginBatchDeletion(context.pool, id, context.now(), ({ state, totalJobs: total_jobs }) =>
      auditWriter(admin, { ...subject, before: { batch_number, state, total_jobs } }),
    );
    context.relay.kick();
    context.worker.kick();
    return counts;
  };
}

const maxBytes = 64 * 1024;

export function getBatchMetadata(context: Context): SimulationHandlers['getBatchMetadata'] {
  return async (request, call): Promise<BatchMetadata> => {
    const batch = await requireBatch(context, request.batchId);
    await call.check(() => isPublicBatch(context, batch.id));
    return presentMetadata(batch);
  };
}

export function setBatchMetadata(context: Context): SimulationHandlers['setBatchMetadata'] {
  return async (request, { caller: admin }): Promise<BatchMetadata> => {
    const { id, batchNumber: serial } = await requireBatch(context, request.batchId);
    const metadata = readMetadata(request.metadataJson);
    const change = {
      metadata,
      number: Number(metadata.batch_number ?? serial),
      expectedId: request.expectedMetadataId,
    };
    const entry = { action: 'batch.metadata_saved', subjectKind: 'batch', subjectId: id, after: metadata };
    const action = await saveMetadata(context.pool, id, change, (batch) =>
      auditWriter(admin, { ...entry, before: batch.metadata ?? undefined }),
    );
    context.relay.kick();
    return { ...presentMetadata(await requireBatch(context, id)), action };
  };
}

export async function isPublicBatch(context: Context, batchId: string): Promise<boolean> {
  const { batchIds } = await context.liveData.listPublicBatches({ batchIds: [batchId] });
  return batchIds.includes(batchId);
}

/** Parses and checks metadata. Throws INVALID_ARGUMENT. Empty text is an empty object. */
function readMetadata(text: string): { batch_number?: unknown } {
  const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'metadata-invalid', message);
  if (Buffer.byteLength(text) > maxBytes) throw refusal('The metadata is larger than 64 KB.');
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('Invalid JSON format');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal('The metadata must be a JSON object.');
  }
  const { batch_number: number } = value as { batch_number?: unknown };
  const given = number !== undefined && number !== null;
  if (given && (typeof number === 'object' || !/^[1-9]\d{0,8}$/.test(String(number)))) {
    throw refusal('batch_number must be a whole number from 1 to 999,999,999.');
  }
  if (text.includes('\\u0000')) throw refusal('The metadata must not contain null characters.');
  return value;
}

function presentMetadata(batch: StoredBatch) {
  return {
    batchId: batch.id,
    metadataId: batch.metadataId ?? '',
    metadataJson: JSON.stringify(batch.metadata ?? {}),
    batchEntries: batch.totalJobs,
  };
}
