import type { Context, SimulationHandlers } from '../context.ts';
import { type AlsoOfBatch, audits } from '../store/also.ts';
import {
  batchEnded,
  cancelBatch as storeCancel,
  pauseBatch as storePause,
  retryBatch as storeRetry,
} from '../store/batch-changes.ts';
import { presentWhole, requireBatch } from './present-batch.ts';

type Change = (context: Context, id: string, also: AlsoOfBatch) => Promise<void>;

function byAdmin(context: Context, verb: string, change: Change): SimulationHandlers['pauseBatch'] {
  return async (request, { caller: user }) => {
    const { id } = await requireBatch(context, request.batchId);
    const entry = { action: `batch.${verb}`, subjectKind: 'batch', subjectId: id };
    await change(context, id, ({ state, paused }) => audits(user, { ...entry, before: { state, paused } }));
    context.relay.kick();
    context.worker.kick();
    return presentWhole(context, id);
  };
}

export const pauseBatch = (context: Context) =>
  byAdmin(context, 'paused', ({ pool }, id, also) => storePause(pool, id, true, also));
export const resumeBatch = (context: Context) =>
  byAdmin(context, 'resumed', ({ pool }, id, also) => storePause(pool, id, false, also));
export const cancelBatch = (context: Context) =>
  byAdmin(context, 'cancelled', async ({ pool, now }, id, also) => {
    if (!(await storeCancel(pool, id, 'The batch was cancelled.', now(), also))) throw batchEnded();
  });
export const retryBatch = (context: Context) =>
  byAdmin(context, 'retried', ({ pool, now }, id, also) => storeRetry(pool, id, now(), also));
