import type { Context, SimulationHandlers } from '../context.ts';
import { causeClause } from '../domain/loss.ts';
import { handBack as storeHandBack } from '../store/leases.ts';

export function handBack(context: Context): SimulationHandlers['handBack'] {
  return async (request, { caller: lease }) => {
    await storeHandBack(context.pool, lease, causeClause(request.reason), context.now());
    return {};
  };
}
