import type { Context, SimulationHandlers } from '../context.ts';
import { countJobs as readCount } from '../store/jobs.ts';

export function countJobs(context: Context): SimulationHandlers['countJobs'] {
  return async () => {
    return { jobCount: await readCount(context.prisma) };
  };
}
