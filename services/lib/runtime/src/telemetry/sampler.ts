import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/**
 * Values of OTEL_TRACES_SAMPLER.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface Sampling {
  readonly sampler: (typeof samplers)[number];
  /** Ratio of the traces that the samplers with a ratio keep, from 0 to 1. */
  readonly ratio: number;
}

/**
 * Creates the sampler of a process. `edge`: its callers are not trusted. They can prevent the recording of a trace, but cannot force
 * it for a trace that the sampler would drop.
 */
export function createSampler({ sampler, ratio }: Sampling, edge = false): Sampler {
  const root = rootSampler(sampler, ratio);
  if (!sampler.startsWith('parentbased_')) return root;
  return new ParentBasedSampler(edge ? { root, remoteParentSampled: root } : { root });
}

function rootSampler(sampler: Sampling['sampler'], ratio: number): Sampler {
  if (sampler.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio);
  return sampler.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
