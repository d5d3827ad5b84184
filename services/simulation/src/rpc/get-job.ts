import type { Context, SimulationHandlers } from '../context.ts';
import { findReadableJob } from './find-readable-job.ts';
import { presentOne } from './present.ts';

export function getJob(context: Context): SimulationHandlers['getJob'] {
  return async (request, call) => presentOne(context, await findReadableJob(context, call, request.jobId));
}
