import {
  contextOf,
  currentTraceparent,
  inContextOf,
  recordSpan,
  spanAttribute,
  untraced,
} from '@husky/runtime/telemetry/trace-context';
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { JobPlan } from './domain/job.ts';
import { measureWait } from './metrics.ts';
import type { StoredJob } from './store/stored-job.ts';

/**
 * Starts the trace of a job of a batch, linked to the batch's, and returns its traceparent. A trace of a whole batch would have a million
 * spans. The jobs of a batch whose trace is not sampled are not traced.
 */
export function startJobTrace({ id, batchId }: Pick<JobPlan, 'id' | 'batchId'>, batchTrace: string): string {
  const sampled = (trace.getSpanContext(contextOf(batchTrace))?.traceFlags ?? 0) > 0;
  if (!sampled) return untraced(currentTraceparent);
  const now = Date.now();
  const attributes = { [spanAttribute.jobId]: id, [spanAttribute.batchId]: batchId ?? '' };
  const span = recordSpan('create job', { parent: ROOT_CONTEXT, attributes, links: [batchTrace], startTime: now }, now);
  return inContextOf(span, currentTraceparent);
}

interface Claim {
  readonly attempt: number;
  readonly runner: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Records the wait in the queue (of the first attempt) and the claim in the job's trace. Returns the claim's traceparent, the
 * parent of the runner's spans.
 */
export function recordClaim(job: StoredJob, { attempt, runner, now }: Claim): string {
  const parent = contextOf(job.traceContext);
  const attributes = {
    [spanAttribute.jobId]: job.id,
    [spanAttribute.attempt]: attempt,
    [spanAttribute.runner]: runner,
    'husky.class': job.kind.toLowerCase(),
  };
  if (attempt === 1) measureWait(job.kind, now - job.createdAt.getTime());
  if (attempt === 1) recordSpan('queue', { parent, attributes, startTime: job.createdAt.getTime() }, now);
  const span = recordSpan('claim', { parent, kind: SpanKind.PRODUCER, attributes, startTime: now }, now);
  return inContextOf(span, currentTraceparent);
}
