import type { Context, SubmissionHandlers } from '../context.ts';
import { pinFinals as storePins } from '../store/pins.ts';
import { presentPin } from './present.ts';

/** All or none: with users missing, nothing is pinned. */
export function pinFinals(context: Context): SubmissionHandlers['pinFinals'] {
  return async (request) => {
    const { pins, missing } = await storePins(context.pool, request.holderId, request.userIds);
    return { pins: pins.map(presentPin), missingUserIds: missing };
  };
}
