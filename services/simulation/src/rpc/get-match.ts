import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { findJob, seedOf } from '../store/jobs.ts';
import { presentOne } from './present.ts';

/** All facts of a match with its seed: for live-data, which re-deals it. */
export function getMatch(context: Context): SimulationHandlers['getMatch'] {
  return async (request, { caller }) => {
    const job = isUuid(request.jobId) ? await findJob(context.prisma, request.jobId) : null;
    if (!job) throw jobNotFound();
    return {
      job: await presentOne(context, job, caller),
      seats: job.seats.map(({ userId, botHash, packagesHash }) => ({
        userId,
        botHash,
        packagesHash: packagesHash ?? '',
      })),
      seed: await seedOf(context.prisma, job.dealSetId),
      rulesVersion: job.rulesVersion,
      startingStack: job.startingStack,
      profile: job.profile,
    };
  };
}
