import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { batchNotFound } from '../domain/not-found.ts';
import { batchProgress, setBatchHeld } from '../store/batch-holds.ts';

/** A held batch is on the leaderboard: neither it nor any job of it can be deleted. */
export function holdBatch(context: Context): SimulationHandlers['holdBatch'] {
  return async (request) => {
    return changeHold(context, request.batchId, true);
  };
}

export function releaseBatch(context: Context): SimulationHandlers['releaseBatch'] {
  return async (request) => {
    return changeHold(context, request.batchId, false);
  };
}

async function changeHold(context: Context, batchId: string, held: boolean) {
  if (!isUuid(batchId) || !(await setBatchHeld(context.pool, batchId, held))) throw batchNotFound();
  const progress = await batchProgress(context.pool, batchId);
  if (!progress) throw batchNotFound();
  return { batchId, ...progress };
}
