import type { Context, SimulationHandlers } from '../context.ts';
import { jobKinds } from '../domain/job.ts';
import { readBacklog } from '../store/backlog.ts';

/** For pool: how much there is to play, and how fast it goes. */
export function getBacklog(context: Context): SimulationHandlers['getBacklog'] {
  return async () => {
    const { leaseSeconds } = context.settings;
    const backlog = await readBacklog(context.pool, { now: context.now(), leaseSeconds });
    return { classes: jobKinds.map((kind) => backlog.get(kind) ?? { kind }) };
  };
}
