import type { DecisionLimits } from '@husky/contracts/types/simulation/v1/DecisionLimits';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { ReaderCall } from '../access.ts';
import type { Context, SimulationHandlers } from '../context.ts';
import { commitTo } from '../domain/commitment.ts';
import type { Limits } from '../domain/job.ts';
import { jobState } from '../domain/job-state.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { blindsOf, dealSetIsPlayed, findJob, type StoredJob, seedOf } from '../store/jobs.ts';
import { presentCommitment } from './commitments.ts';
import { presentJob } from './present-jobs.ts';

export function getJob(context: Context): SimulationHandlers['getJob'] {
  return async (request, call) => {
    const job = await readableJob(context, call, request.jobId);
    return {
      ...(await presentJob(context, job, call.caller)),
      commitmentDetails: presentCommitment(job),
      decisionLimits: limitsOf(job),
    };
  };
}

/** Returns the time limits of the bots. insertJobs is the only writer of the column. */
function limitsOf({ limits }: StoredJob): DecisionLimits {
  const { decisionMs, bankMs, freeMs } = limits as unknown as Limits;
  return { decisionMs, bankMs, freeMs };
}

/** Returns the seed. Throws FAILED_PRECONDITION until the last match with the same deal set is finished. */
export function getSeed(context: Context): SimulationHandlers['getSeed'] {
  return async (request, call) => {
    const job = await readableJob(context, call, request.jobId);
    if (job.state !== jobState.finished || !(await dealSetIsPlayed(context.prisma, job.dealSetId))) {
      const message = 'The seed is published when the last match that uses it is finished.';
      throw new DomainError('FAILED_PRECONDITION', 'seed-not-published', message);
    }
    const seed = await seedOf(context.prisma, job.dealSetId);
    const { input } = commitTo({ ...job, seed, blinds: blindsOf(job) });
    return { jobId: job.id, seedHex: seed.toString('hex'), commitment: job.commitment, commitmentInput: input };
  };
}

/** Returns a job that the caller may read. Throws NOT_FOUND or PERMISSION_DENIED. */
async function readableJob(context: Context, call: ReaderCall, jobId: string): Promise<StoredJob> {
  const job = isUuid(jobId) ? await findJob(context.prisma, jobId) : null;
  if (!job) throw jobNotFound();
  const playerIds = job.seats.map((seat) => seat.userId);
  await call.check({ ownerId: job.ownerId, playerIds }, () => isPublic(context, jobId));
  return job;
}

async function isPublic(context: Context, jobId: string): Promise<boolean> {
  try {
    return (await context.liveData.getMatchAccess({ jobId })).isPublic;
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED'))
      return false;
    throw error;
  }
}
