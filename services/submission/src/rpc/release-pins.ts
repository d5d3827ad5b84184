import type { Context, SubmissionHandlers } from '../context.ts';
import { releasePins as removePins } from '../store/pins.ts';

export function releasePins(context: Context): SubmissionHandlers['releasePins'] {
  return async (request) => {
    await removePins(context.pool, request.holderId);
    return {};
  };
}
