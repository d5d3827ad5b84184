import type { ScalingJob as ScalingJobMessage } from '@husky/contracts/types/pool/v1/ScalingJob';
import { nobody, type ScalingJob } from '../store/scaling-jobs.ts';

export function presentJob(job: ScalingJob): ScalingJobMessage {
  const { createdAt, completedAt, userId, ...rest } = job;
  return {
    ...rest,
    userId: userId === nobody ? '' : userId,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? '',
  };
}
