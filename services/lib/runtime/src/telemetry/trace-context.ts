import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

export { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';

/** Attributes of spans that this platform adds to those of OpenTelemetry's conventions. */
export const spanAttribute = {
  jobId: 'husky.job.id',
  attempt: 'husky.attempt',
  runner: 'husky.runner',
  batchId: 'husky.batch.id',
} as const;

/** Returns the active trace context as a W3C traceparent; empty without one. */
export function currentTraceparent(): string {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? '';
}

/** Returns the context of a stored or received traceparent; the root context for an empty or malformed one. */
export function contextOf(traceparent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

/**
 * Runs `work` in a trace that is not sampled. With the samplers that follow the parent, neither this process nor a service that it
 * calls records a span. Logs have a trace id. For heartbeats, probes and polls.
 */
export function untraced<T>(work: () => T): T {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const unsampled = { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true };
  return context.with(trace.setSpanContext(ROOT_CONTEXT, unsampled), work);
}

export interface SpanSettings {
  /** Context of the parent; default: the active one. */
  readonly parent?: Context;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** traceparents of related traces. Empty and malformed ones are left out. */
  readonly links?: readonly string[];
  /** Start in ms since the epoch; default: now. */
  readonly startTime?: number;
}

const tracer = trace.getTracer('husky');

/** Starts a span, which the caller must end. */
export function startSpan(name: string, settings: SpanSettings = {}): Span {
  const { parent = context.active(), kind = SpanKind.INTERNAL, attributes = {}, links = [], startTime } = settings;
  const linked = links.flatMap((link) => {
    const spanContext = trace.getSpanContext(contextOf(link));
    return spanContext ? [{ context: spanContext }] : [];
  });
  const options = { kind, attributes, links: linked };
  return tracer.startSpan(name, startTime === undefined ? options : { ...options, startTime }, parent);
}

/** Runs `work` in a span. An error that it throws is recorded as the span's status. */
export async function inSpan<T>(name: string, settings: SpanSettings, work: (span: Span) => Promise<T>): Promise<T> {
  const span = startSpan(name, settings);
  try {
    return await context.with(trace.setSpan(settings.parent ?? context.active(), span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
    throw error;
  } finally {
    span.end();
  }
}

/** Links the active span to another trace. */
export function linkTo(traceparent: string): void {
  const related = trace.getSpanContext(contextOf(traceparent));
  if (related) trace.getActiveSpan()?.addLink({ context: related });
}

/** Runs `work` as a part of a span, which may have ended. */
export function inContextOf<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(ROOT_CONTEXT, span), work);
}

/** Records a span of work that has ended already. Times in ms since the epoch. */
export function recordSpan(
  name: string,
  settings: SpanSettings & { readonly startTime: number },
  endTime: number,
): Span {
  const span = startSpan(name, settings);
  span.end(Math.max(settings.startTime, endTime));
  return span;
}
