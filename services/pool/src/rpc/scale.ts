import type { ScaleRequest__Output } from '@husky/contracts/types/pool/v1/ScaleRequest';
import type { ScalingJob } from '@husky/contracts/types/pool/v1/ScalingJob';
import { requireAdmin } from '@husky/runtime/caller';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { checkTarget } from '../domain/target.ts';
import { presentJob } from './present-job.ts';

export async function scale(context: Context, request: ScaleRequest__Output, call: Call): Promise<ScalingJob> {
  const admin = requireAdmin(call.caller);
  checkTarget(request.targetSize, context.maxSize);
  const job = await context.scaler.request(request.targetSize, admin);
  context.log.info({ scalingJob: job.id, userId: admin.id }, `scaling to ${request.targetSize} runners`);
  return presentJob(job);
}
