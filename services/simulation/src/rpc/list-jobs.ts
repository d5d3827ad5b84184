import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { type JobKind, type JobState, jobKinds, statesFor } from '../domain/job.ts';
import { listJobs as readJobs } from '../store/jobs.ts';
import { pageOf } from './page.ts';
import { presentJobs } from './present.ts';

export function listJobs(context: Context): SimulationHandlers['listJobs'] {
  return async (request, { caller }) => {
    const { page, pageSize } = pageOf(request);
    if (request.ownerId !== '' && !isUuid(request.ownerId)) return { jobs: [], total: 0 };
    const filter = {
      ...(request.ownerId === '' ? {} : { ownerId: request.ownerId }),
      kinds: request.kinds.filter((kind): kind is JobKind => jobKinds.some((known) => known === kind)),
      states: statesOf(request.status),
      idBegins: request.q,
    };
    const { jobs, total } = await readJobs(context.prisma, filter, page, pageSize);
    return { jobs: await presentJobs(context, jobs, caller), total };
  };
}

export function statesOf(status: string): readonly JobState[] {
  const states = statesFor(status);
  if (states) return states;
  throw new DomainError('INVALID_ARGUMENT', 'status-invalid', 'A status is Pending, Running, Finished or Failed.');
}
