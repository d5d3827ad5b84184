import { houseUserId } from '@husky/contracts/house-user';
import type { Context, SubmissionHandlers } from '../context.ts';
import { pinBot } from '../store/pins.ts';
import { presentPin } from './present.ts';

export function pinHouse(context: Context): SubmissionHandlers['pinHouse'] {
  return async (request) => {
    return presentPin(await pinBot(context.pool, request.holderId, houseUserId, context.house));
  };
}
