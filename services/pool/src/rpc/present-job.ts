import type { ScalingJob as ScalingJobMessage } from '@husky/contracts/types/pool/v1/ScalingJob';
import type { ScalingJob } from '../store/scaling-jobs.ts';

export function presentJob(job: ScalingJob): ScalingJobMessage {
  const { createdAt, completedAt, ...rest } = job;
  return { ...rest, createdAt: createdAt.toISOString(), completedAt: completedAt?.toISOString() ?? '' };
}
