import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { isNoContest } from '../domain/no-contest.ts';
import { acceptResult as storeResult } from '../store/endings.ts';

/** live-data has stored and verified an attempt whole; it counts when the attempt is the current one. */
export function acceptResult(context: Context): SimulationHandlers['acceptResult'] {
  return async (request) => {
    if (!isUuid(request.jobId)) return { accepted: false, acceptedAttempt: 0 };
    const noContest = isNoContest(request.seatFaults);
    const results = noContest ? request.results.map(({ userId }) => ({ userId, delta: 0 })) : request.results;
    const answer = await storeResult(context.pool, { ...request, results, noContest }, context.now());
    context.relay.kick();
    return answer;
  };
}
