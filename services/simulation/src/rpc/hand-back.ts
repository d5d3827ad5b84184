import type { Context, SimulationHandlers } from '../context.ts';
import { causeClause } from '../domain/loss.ts';
import { handBack as storeHandBack } from '../store/leases.ts';

export function handBack(context: Context): SimulationHandlers['handBack'] {
  return async (request, { caller: lease }) => {
    const unfetched = request.unfetched.map(({ seat, cause }) => ({ seat, cause: causeClause(cause) }));
    const handedBack = await storeHandBack(
      context.pool,
      lease,
      { reason: causeClause(request.reason), unfetched },
      context.now(),
    );
    if (!handedBack) return {};
    for (const { seat, cause } of unfetched) {
      const facts = { jobId: lease.jobId, attempt: lease.attempt, seat, cause };
      context.log.warn(facts, `packages of seat ${seat + 1} could not be brought to a runner: ${cause}`);
    }
    return {};
  };
}
