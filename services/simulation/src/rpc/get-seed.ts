import { DomainError } from '@husky/runtime/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { promiseOf } from '../domain/promise.ts';
import { blindsOf, dealSetIsPlayed, seedOf } from '../store/jobs.ts';
import { findReadableJob } from './find-readable-job.ts';

/** The seed opens once nobody can gain by it: after the last match that is dealt from it. */
export function getSeed(context: Context): SimulationHandlers['getSeed'] {
  return async (request, call) => {
    const job = await findReadableJob(context, call, request.jobId);
    if (job.state !== 'FINISHED' || !(await dealSetIsPlayed(context.prisma, job.dealSetId))) {
      throw new DomainError(
        'FAILED_PRECONDITION',
        'seed-not-published',
        'The seed is published when the last match that uses it is finished.',
      );
    }
    const seed = await seedOf(context.prisma, job.dealSetId);
    const { input } = promiseOf({ ...job, seed, blinds: blindsOf(job) });
    return { jobId: job.id, seedHex: seed.toString('hex'), commitment: job.commitment, commitmentInput: input };
  };
}
