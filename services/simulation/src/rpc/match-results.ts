import type { AcceptResultResponse } from '@husky/contracts/types/simulation/v1/AcceptResultResponse';
import type { MatchFacts } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { isNoContest, jobNotFound } from '../domain/job.ts';
import { dealKeyOfJob } from '../store/jobs.ts';
import { acceptResult as storeResult } from '../store/results.ts';
import { findJob } from '../store/stored-job.ts';
import { presentCommitment } from './commitments.ts';
import { presentJob } from './present-jobs.ts';
import { planOfJob } from './read-batches.ts';
import { revealSeed, seedIsPublished } from './read-jobs.ts';

/** Returns all facts of a match with its key, from which live-data re-deals the hands. */
export function getMatch(context: Context): SimulationHandlers['getMatch'] {
  return async (request, { caller }): Promise<MatchFacts> => {
    const job = isUuid(request.jobId) ? await findJob(context.pool, request.jobId) : null;
    if (!job) throw jobNotFound();
    const seedPublished = await seedIsPublished(context, job);
    return {
      job: { ...(await presentJob(context, job, caller)), commitmentDetails: presentCommitment(job) },
      seats: job.seats.map(({ userId, botHash, packagesHash }) => ({
        userId,
        botHash,
        packagesHash: packagesHash ?? '',
      })),
      seed: await dealKeyOfJob(context.prisma, job),
      rulesVersion: job.rulesVersion,
      startingStack: job.startingStack,
      profile: job.profile,
      dealSetId: job.dealSetId,
      public: job.isPublic,
      sealed: job.sealed,
      seedPublished,
      seedReveal: request.withProof && seedPublished ? await revealSeed(context, job) : null,
      plan: request.withProof ? await planOfJob(context, job) : null,
    };
  };
}

/** Accepts an attempt, which live-data has stored and verified completely, if it is the current one. Idempotent. */
export function acceptResult(context: Context): SimulationHandlers['acceptResult'] {
  return async (request): Promise<AcceptResultResponse> => {
    if (!isUuid(request.jobId)) return { accepted: false, acceptedAttempt: 0 };
    const noContest = isNoContest(request.seatFaults);
    const results = noContest ? request.results.map(({ userId }) => ({ userId, delta: 0 })) : request.results;
    const outcome = await storeResult(context.pool, { ...request, results, noContest }, context.now());
    context.relay.kick();
    return outcome;
  };
}
