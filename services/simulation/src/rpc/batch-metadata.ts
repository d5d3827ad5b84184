import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { audits } from '../store/also.ts';
import { saveMetadata } from '../store/batch-changes.ts';
import { countBatches, type LockedBatch, type StoredBatch, shownNumbers } from '../store/batches.ts';
import { requireBatch } from './present-batch.ts';

const mostBytes = 64 * 1024;
const mostNumbers = 1000;

export function getBatchMetadata(context: Context): SimulationHandlers['getBatchMetadata'] {
  return async (request, call) => {
    const batch = await requireBatch(context, request.batchId);
    await call.check(() => isPublic(context, batch.id));
    return presentMetadata(batch);
  };
}

export function setBatchMetadata(context: Context): SimulationHandlers['setBatchMetadata'] {
  return async (request, { caller: user }) => {
    const { id } = await requireBatch(context, request.batchId);
    const metadata = readMetadata(request.metadataJson);
    const entry = { action: 'batch.metadata_saved', subjectKind: 'batch', subjectId: id, after: metadata };
    const also = ({ metadata: before }: LockedBatch) => audits(user, { ...entry, before: before ?? undefined });
    const action = await saveMetadata(context.pool, id, metadata, request.expectedMetadataId, also);
    context.relay.kick();
    return { ...presentMetadata(await requireBatch(context, id)), action };
  };
}

/** Anyone; unknown ids are left out. */
export function listBatchNumbers(context: Context): SimulationHandlers['listBatchNumbers'] {
  return async ({ batchIds }) => {
    if (batchIds.length > mostNumbers) {
      const message = `At most ${mostNumbers} batches can be asked for at once.`;
      throw new DomainError('INVALID_ARGUMENT', 'too-many-ids', message);
    }
    const [batches, total] = await Promise.all([
      shownNumbers(context.prisma, batchIds.filter(isUuid)),
      countBatches(context.prisma),
    ]);
    return { batches: batches.map(({ id, shownNumber }) => ({ batchId: id, batchNumber: shownNumber })), total };
  };
}

async function isPublic(context: Context, batchId: string): Promise<boolean> {
  const { batchIds } = await context.liveData.listPublicBatches({ batchIds: [batchId] });
  return batchIds.includes(batchId);
}

/** Empty text is an empty object. */
function readMetadata(text: string): object {
  const refuse = (message: string) => new DomainError('INVALID_ARGUMENT', 'metadata-invalid', message);
  if (Buffer.byteLength(text) > mostBytes) throw refuse('The metadata is larger than 64 KB.');
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('Invalid JSON format');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('The metadata must be a JSON object.');
  }
  const { batch_number: number } = value as { batch_number?: unknown };
  const given = number !== undefined && number !== null;
  if (given && (typeof number === 'object' || !/^[1-9]\d{0,8}$/.test(String(number)))) {
    throw refuse('batch_number must be a whole number from 1 to 999,999,999.');
  }
  if (text.includes('\\u0000')) throw refuse('The metadata must not contain null characters.');
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
