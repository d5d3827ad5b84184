import { requireService } from '@husky/runtime/caller';
import type { Context, SubmissionHandlers } from '../context.ts';
import { releasePins as removePins } from '../store/pins.ts';

export function releasePins(context: Context): SubmissionHandlers['releasePins'] {
  return async (request, call) => {
    requireService(call.caller, 'simulation');
    await removePins(context.pool, request.holderId);
    return {};
  };
}
