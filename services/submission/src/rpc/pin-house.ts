import { requireService } from '@husky/runtime/caller';
import type { Context, SubmissionHandlers } from '../context.ts';
import { pinBot } from '../store/pins.ts';
import { presentPin } from './present.ts';

export function pinHouse(context: Context): SubmissionHandlers['pinHouse'] {
  return async (request, call) => {
    requireService(call.caller, 'simulation');
    return presentPin(await pinBot(context.pool, request.holderId, context.houseUserId, context.house));
  };
}
