import type { Logger } from '@husky/runtime/process/logger';
import { untraced } from '@husky/runtime/telemetry/trace-context';
import { context, metrics, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type Koa from 'koa';

const tracer = trace.getTracer('husky.http');

/** Paths polled by load balancers and monitoring. Their requests are not traced. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Records a span, a duration and a log line (debug) for each request. Labels are routes, not paths. The duration
 * begins with the arrival of the request: it includes the wait for a slot (admission.ts).
 */
export function observe(log: Logger): Koa.Middleware {
  const durations = metrics
    .getMeter('husky.http')
    .createHistogram('http.server.duration', { unit: 'ms', description: 'Time to answer an HTTP request' });
  return async (ctx, next) => {
    const started = (ctx.state.arrivedMs as number | undefined) ?? performance.now();
    const waited = performance.now() - started;
    const parent = probes.has(ctx.path)
      ? untraced(() => context.active())
      : propagation.extract(ROOT_CONTEXT, ctx.headers);
    const attributes = {
      'http.request.method': ctx.method,
      'url.path': ctx.path,
      'husky.wait_ms': Math.round(waited),
    };
    const startTime = Date.now() - waited;
    const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER, attributes, startTime }, parent);
    await context.with(trace.setSpan(parent, span), async () => {
      await next();
      const route = (ctx.state.route as string | undefined) ?? 'other';
      const durationMs = performance.now() - started;
      span.updateName(`${ctx.method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': ctx.status });
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      durations.record(durationMs, { method: ctx.method, route, status: ctx.status });
      log.debug(
        { requestId: ctx.state.requestId },
        `${ctx.method} ${ctx.path} ${ctx.status} ${durationMs.toFixed(1)} ms`,
      );
    });
    span.end();
  };
}
