import type { Context, SimulationHandlers } from '../context.ts';
import { causeClause } from '../domain/loss.ts';
import { loseAttempt } from '../store/losses.ts';

export function reportLoss(context: Context): SimulationHandlers['reportLoss'] {
  return async (request, { caller: lease }) => {
    const loss = { cause: causeClause(request.cause), suspect: request.botSuspect, usage: request.usage };
    await loseAttempt(context.pool, lease, loss, context.now());
    context.log.warn({ jobId: lease.jobId, attempt: lease.attempt }, `a runner lost its match: ${loss.cause}`);
    context.relay.kick();
    return {};
  };
}
