import type { Backlog } from '@husky/contracts/types/simulation/v1/Backlog';
import type { ListRunnersResponse } from '@husky/contracts/types/simulation/v1/ListRunnersResponse';
import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobKinds } from '../domain/job.ts';
import type { RunnerState } from '../domain/runner.ts';
import { readBacklog } from '../store/backlog.ts';
import { notifyQueue } from '../store/queue.ts';
import { listRunners as readRunners, cordonRunners as storeCordon } from '../store/runners.ts';

export function listRunners(context: Context): SimulationHandlers['listRunners'] {
  return async (): Promise<ListRunnersResponse> => presentRunners(context);
}

/** Cordons runners: they get no new lease; a match that they hold continues. */
export function cordonRunners(context: Context): SimulationHandlers['cordonRunners'] {
  return async (request): Promise<ListRunnersResponse> => {
    await storeCordon(context.pool, request.names, request.cordoned, context.now());
    if (!request.cordoned) await notifyQueue(context.pool);
    return presentRunners(context);
  };
}

/** Returns the backlog and the pace of a runner by class, which pool uses for autoscaling. */
export function getBacklog(context: Context): SimulationHandlers['getBacklog'] {
  return async (): Promise<Backlog> => {
    const { leaseSeconds } = context.settings;
    const backlog = await readBacklog(context.pool, { now: context.now(), leaseSeconds });
    return { classes: jobKinds.map((kind) => backlog.get(kind) ?? { kind }) };
  };
}

async function presentRunners(context: Context) {
  const runners = await readRunners(context.pool);
  return {
    runners: runners.map(({ name, state, jobId, cordoned, lastSeen, totals }) => ({
      name,
      state: state as RunnerState,
      jobId: jobId ?? '',
      cordoned,
      lastSeen: lastSeen?.toISOString() ?? '',
      totals: totals as RunnerTotals | null,
    })),
  };
}
