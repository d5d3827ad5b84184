import { DomainError } from '@husky/runtime/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { newestTestRuns } from '../store/jobs.ts';
import { presentJobs } from './present.ts';

const mostBots = 100;

/** The caller's newest test run of each bot, whatever its state; a bot without one is left out. */
export function lastTestRuns(context: Context): SimulationHandlers['lastTestRuns'] {
  return async (request, { caller }) => {
    if (request.botHashes.length > mostBots) {
      throw new DomainError('INVALID_ARGUMENT', 'too-many-bots', `At most ${mostBots} bots can be asked for.`);
    }
    const runs = await newestTestRuns(context.prisma, caller.id, request.botHashes);
    const jobs = await presentJobs(context, [...runs.values()], caller);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    return { runs: [...runs].map(([botHash, { id }]) => ({ botHash, job: byId.get(id) ?? null })) };
  };
}
