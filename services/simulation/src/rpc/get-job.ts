import type { Context, SimulationHandlers } from '../context.ts';
import { findReadableJob } from './find-readable-job.ts';
import { presentOne } from './present.ts';
import { presentCommitment } from './present-commitment.ts';

export function getJob(context: Context): SimulationHandlers['getJob'] {
  return async (request, call) => {
    const job = await findReadableJob(context, call, request.jobId);
    return { ...(await presentOne(context, job, call.caller)), commitmentDetails: presentCommitment(job) };
  };
}
