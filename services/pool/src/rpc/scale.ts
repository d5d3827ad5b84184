import type { ScaleRequest__Output } from '@husky/contracts/types/pool/v1/ScaleRequest';
import type { ScalingJob } from '@husky/contracts/types/pool/v1/ScalingJob';
import type { AdminCaller } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { checkTarget } from '../domain/target.ts';
import { presentJob } from './present-job.ts';

/** By hand: whoever asks for a size wants that one, so autoscaling ends. */
export async function scale(
  context: Context,
  request: ScaleRequest__Output,
  { caller: admin }: Call<AdminCaller>,
): Promise<ScalingJob> {
  checkTarget(request.targetSize, context.maxSize);
  const { job, autoscalingEnded } = await context.scaler.request(request.targetSize, admin);
  const ended = autoscalingEnded ? ', autoscaling is switched off by it' : '';
  context.log.info({ scalingJob: job.id, userId: admin.id }, `scaling to ${request.targetSize} runners${ended}`);
  if (autoscalingEnded) context.autoscaler.kick();
  return { ...presentJob(job), autoscalingEnded };
}
