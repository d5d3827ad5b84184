import type { ListScalingJobsRequest__Output } from '@husky/contracts/types/pool/v1/ListScalingJobsRequest';
import type { ListScalingJobsResponse } from '@husky/contracts/types/pool/v1/ListScalingJobsResponse';
import type { ScaleRequest__Output } from '@husky/contracts/types/pool/v1/ScaleRequest';
import type { ScalingJob as ScalingJobMessage } from '@husky/contracts/types/pool/v1/ScalingJob';
import type { AdminCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { checkTarget } from '../domain/sizes.ts';
import { autoscalingUserId, listJobs, type ScalingJob } from '../store/scaling-jobs.ts';

const maxPageSize = 1000;

/** Records a change of size and returns its job at once; the scaler carries it out. Switches autoscaling off. */
export async function scale(
  context: Context,
  request: ScaleRequest__Output,
  { caller: admin }: Call<AdminCaller>,
): Promise<ScalingJobMessage> {
  checkTarget(request.targetSize, context.maxSize);
  const { job, autoscalingEnded } = await context.scaler.request(request.targetSize, admin);
  const suffix = autoscalingEnded ? '; autoscaling was switched off' : '';
  context.log.info(
    { scalingJob: job.id, userId: admin.id },
    `scaling to ${request.targetSize} runners requested${suffix}`,
  );
  if (autoscalingEnded) context.autoscaler.wake();
  return { ...presentJob(job), autoscalingEnded };
}

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

function presentJob(job: ScalingJob): ScalingJobMessage {
  const { createdAt, completedAt, userId, ...rest } = job;
  return {
    ...rest,
    userId: userId === autoscalingUserId ? '' : userId,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? '',
  };
}
