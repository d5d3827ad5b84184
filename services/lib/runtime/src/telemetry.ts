import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

export interface Telemetry {
  /** Returns the metrics in Prometheus' text format. */
  metricsText(): Promise<string>;
  shutdown(): Promise<void>;
}

/**
 * Starts traces (W3C context) and metrics of a process. Spans are always created, so that log lines have trace ids; they
 * and the metrics are exported only when an OTLP endpoint is configured.
 */
export async function startTelemetry(service: string, otlpEndpoint: string | undefined): Promise<Telemetry> {
  const resource = resourceFromAttributes({ 'service.name': service });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const pull = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer();
  const spanProcessors: BatchSpanProcessor[] = [];
  const readers: (PeriodicExportingMetricReader | PrometheusExporter)[] = [pull];
  if (otlpEndpoint) {
    const [{ OTLPTraceExporter }, { OTLPMetricExporter }] = await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/exporter-metrics-otlp-proto'),
    ]);
    spanProcessors.push(new BatchSpanProcessor(new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces` })));
    const exporter = new OTLPMetricExporter({ url: `${otlpEndpoint}/v1/metrics` });
    readers.push(new PeriodicExportingMetricReader({ exporter }));
  }
  const tracerProvider = new BasicTracerProvider({ resource, spanProcessors });
  const meterProvider = new MeterProvider({ resource, readers });
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  return {
    async metricsText() {
      const { resourceMetrics } = await pull.collect();
      return serializer.serialize(resourceMetrics);
    },
    async shutdown() {
      await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}
