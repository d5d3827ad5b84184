import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import type { Context, SimulationHandlers } from '../context.ts';
import type { Runner } from '../generated/client.ts';
import { notifyQueue } from '../store/queue.ts';
import { listRunners as readRunners, cordonRunners as storeCordon } from '../store/runners.ts';

export function listRunners(context: Context): SimulationHandlers['listRunners'] {
  return async () => {
    return { runners: (await readRunners(context.prisma)).map(presentRunner) };
  };
}

/** A cordoned runner gets no lease; the match it holds goes on. */
export function cordonRunners(context: Context): SimulationHandlers['cordonRunners'] {
  return async (request) => {
    await storeCordon(context.pool, request.names, request.cordoned, context.now());
    if (!request.cordoned) await notifyQueue(context.pool);
    return { runners: (await readRunners(context.prisma)).map(presentRunner) };
  };
}

function presentRunner(runner: Runner) {
  return {
    name: runner.name,
    state: runner.state as 'IDLE' | 'ACQUIRED' | 'ACTIVE',
    jobId: runner.jobId ?? '',
    cordoned: runner.cordoned,
    lastSeen: runner.lastSeen?.toISOString() ?? '',
    totals: runner.totals as RunnerTotals | null,
  };
}
