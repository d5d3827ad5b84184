import { hostname } from 'node:os';
import { type MeterProvider as ApiMeterProvider, context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv, W3CTraceContextPropagator } from '@opentelemetry/core';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  type MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import packageJson from '../../package.json' with { type: 'json' };
import type { samplers } from '../process/variables.ts';
import { countedHistograms } from './counted-histogram.ts';
import { exportProcessMetrics } from './process-metrics.ts';

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

/**
 * Makes a reader omit the series of observable gauges that their callbacks did not observe. With cumulative temporality the SDK repeats
 * their last values without end, for example of a database that is away.
 */
function omitUnobserved<T extends Pick<MetricReader, 'selectAggregationTemporality'>>(reader: T): T {
  const select = reader.selectAggregationTemporality.bind(reader);
  reader.selectAggregationTemporality = (instrument) =>
    instrument === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : select(instrument);
  return reader;
}

/** Creates the reader of `/metrics`, without a server of its own. */
const createPullReader = (options: ConstructorParameters<typeof PrometheusExporter>[0]): PrometheusExporter =>
  omitUnobserved(new PrometheusExporter({ ...options, preventServerStart: true }));

/** Creates the reader that sends metrics each minute. */
const createPushReader = (
  options: ConstructorParameters<typeof PeriodicExportingMetricReader>[0],
): PeriodicExportingMetricReader => omitUnobserved(new PeriodicExportingMetricReader(options));

/**
 * Creates the processor that sends spans to an OTLP receiver in batches, outside of the work that they describe. Its queue is bounded:
 * while the receiver does not respond, further spans are dropped and counted (`otel.sdk.processor.span.processed`). Limits:
 * OTEL_BSP_* and OTEL_EXPORTER_OTLP_* variables.
 */
async function createSpanProcessor(endpoint: string, meterProvider: ApiMeterProvider): Promise<SpanProcessor> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }),
    selfObsMeterProvider: meterProvider,
    // The processor of sdk-trace-base reads these variables, but has no metrics.
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? 2048,
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY') ?? 5000,
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
  });
}

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
