import { requireAdmin } from '@husky/runtime/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import {
  cancelBatch as storeCancel,
  pauseBatch as storePause,
  retryBatch as storeRetry,
} from '../store/batch-changes.ts';
import { presentWhole, requireBatch } from './present-batch.ts';

type Change = (context: Context, id: string) => Promise<void>;

function byAdmin(context: Context, change: Change): SimulationHandlers['pauseBatch'] {
  return async (request, call) => {
    requireAdmin(call.caller);
    return changed(context, request.batchId, change);
  };
}

async function changed(context: Context, batchId: string, change: Change) {
  const { id } = await requireBatch(context, batchId);
  await change(context, id);
  context.relay.kick();
  context.worker.kick();
  return presentWhole(context, id);
}

export const pauseBatch = (context: Context) => byAdmin(context, ({ pool }, id) => storePause(pool, id, true));
export const resumeBatch = (context: Context) => byAdmin(context, ({ pool }, id) => storePause(pool, id, false));
export const cancelBatch = (context: Context) =>
  byAdmin(context, ({ pool, now }, id) => storeCancel(pool, id, 'The batch was cancelled.', now()));
export const retryBatch = (context: Context) => byAdmin(context, ({ pool, now }, id) => storeRetry(pool, id, now()));
