import type { ListScalingJobsResponse } from '@husky/contracts/types/pool/v1/ListScalingJobsResponse';
import type { ScalingJob as ScalingJobMessage } from '@husky/contracts/types/pool/v1/ScalingJob';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, PoolHandlers } from '../context.ts';
import { checkTarget } from '../domain/sizes.ts';
import { autoscalingUserId, listJobs, type ScalingJob } from '../store/scaling-jobs.ts';

/** Records a change of size and returns its job, which the scaler carries out later. Switches autoscaling off. */
export function scale(context: Context): PoolHandlers['scale'] {
  return async (request, { caller: admin }): Promise<ScalingJobMessage> => {
    checkTarget(request.targetSize, context.maxSize);
    const { job, autoscalingEnded } = await context.scaler.request(request.targetSize, admin);
    const suffix = autoscalingEnded ? '; autoscaling was switched off' : '';
    context.log.info(
      { scalingJob: job.id, userId: admin.id },
      `scaling to ${request.targetSize} runners requested${suffix}`,
    );
    if (autoscalingEnded) context.autoscaler.wake();
    return { ...presentJob(job), autoscalingEnded };
  };
}

/** Lists scaling jobs, newest first. */
export function listScalingJobs(context: Context): PoolHandlers['listScalingJobs'] {
  return async (request): Promise<ListScalingJobsResponse> => {
    const { jobs, total } = await listJobs(context.db, request, pageOf(request));
    return { jobs: jobs.map(presentJob), total };
  };
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
