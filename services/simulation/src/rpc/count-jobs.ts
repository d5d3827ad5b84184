import { requireAdmin } from '@husky/runtime/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import { countJobs as readCount } from '../store/jobs.ts';

export function countJobs(context: Context): SimulationHandlers['countJobs'] {
  return async (_request, call) => {
    requireAdmin(call.caller);
    return { jobCount: await readCount(context.prisma) };
  };
}
