import { hostname } from 'node:os';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { type PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, type PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import packageJson from '../../package.json' with { type: 'json' };
import { countedHistograms } from './counted-histogram.ts';
import { createPullReader, createPushReader } from './metric-readers.ts';
import { exportProcessMetrics } from './process-metrics.ts';
import { createSampler, type Sampling } from './sampler.ts';
import { createSpanProcessor } from './span-processor.ts';

export interface Telemetry {
  /** Returns the metrics in Prometheus' text format. */
  metricsText(): Promise<string>;
  /** Exports pending spans and metrics, for at most 2 s. */
  shutdown(): Promise<void>;
}

export interface TelemetrySettings {
  /** Base URL of an OTLP receiver over HTTP; undefined: nothing is sent. */
  readonly otlpEndpoint?: string | undefined;
  /** Default: every trace is kept. */
  readonly sampling?: Sampling;
  /** Whether callers are not trusted: they cannot force the recording of a trace that the sampler would drop. */
  readonly edge?: boolean;
}

const shutdownMs = 2000;

/**
 * Starts traces (W3C context) and metrics of a process. Spans are always created, so that log lines have trace ids; they
 * and the metrics are exported only when an OTLP endpoint is configured. OTEL_RESOURCE_ATTRIBUTES adds to the attributes of the
 * process.
 */
export async function startTelemetry(service: string, settings: TelemetrySettings = {}): Promise<Telemetry> {
  const { otlpEndpoint, sampling = { sampler: 'parentbased_always_on', ratio: 1 }, edge } = settings;
  const resource = resourceOf(service);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const metricProducers = [countedHistograms];
  const pull = createPullReader({ metricProducers });
  const readers: (PeriodicExportingMetricReader | PrometheusExporter)[] = [pull];
  if (otlpEndpoint) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    const exporter = new OTLPMetricExporter({ url: `${otlpEndpoint}/v1/metrics` });
    readers.push(createPushReader({ exporter, metricProducers }));
  }
  const meterProvider = new MeterProvider({ resource, readers });
  metrics.setGlobalMeterProvider(meterProvider);
  const spanProcessors = otlpEndpoint ? [await createSpanProcessor(otlpEndpoint, meterProvider)] : [];
  const tracerProvider = new BasicTracerProvider({ resource, spanProcessors, sampler: createSampler(sampling, edge) });
  trace.setGlobalTracerProvider(tracerProvider);
  exportProcessMetrics();
  const serializer = new PrometheusSerializer();
  return {
    async metricsText() {
      const { resourceMetrics } = await pull.collect();
      return serializer.serialize(resourceMetrics);
    },
    async shutdown() {
      // A receiver that does not respond must not delay the end of the process.
      const late = new Promise((resolve) => setTimeout(resolve, shutdownMs).unref());
      await Promise.race([Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]), late]);
    },
  };
}

// https://opentelemetry.io/docs/specs/semconv/resource/
function resourceOf(service: string): Resource {
  const own = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'husky-holdem',
    'service.version': packageJson.version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}
