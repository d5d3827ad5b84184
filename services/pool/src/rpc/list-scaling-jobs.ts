import type { ListScalingJobsRequest__Output } from '@husky/contracts/types/pool/v1/ListScalingJobsRequest';
import type { ListScalingJobsResponse } from '@husky/contracts/types/pool/v1/ListScalingJobsResponse';
import { DomainError } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { listJobs } from '../store/scaling-jobs.ts';
import { presentJob } from './present-job.ts';

const maxPageSize = 1000;

export async function listScalingJobs(
  context: Context,
  request: ListScalingJobsRequest__Output,
): Promise<ListScalingJobsResponse> {
  const page = request.page === 0 ? 1 : request.page;
  const take = request.pageSize === 0 ? 100 : request.pageSize;
  if (page < 1 || take < 1 || take > maxPageSize) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-page', `Pages count from 1 and have 1 to ${maxPageSize} entries.`);
  }
  const { jobs, total } = await listJobs(context.db, request, { skip: (page - 1) * take, take });
  return { jobs: jobs.map(presentJob), total };
}
