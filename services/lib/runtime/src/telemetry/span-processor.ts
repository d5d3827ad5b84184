import type { MeterProvider } from '@opentelemetry/api';
import { getNumberFromEnv } from '@opentelemetry/core';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';

/**
 * Creates the processor that sends spans to an OTLP receiver in batches, outside of the work that they describe. Its queue is bounded:
 * while the receiver does not respond, further spans are dropped and counted (`otel.sdk.processor.span.processed`). Limits:
 * OTEL_BSP_* and OTEL_EXPORTER_OTLP_* variables.
 */
export async function createSpanProcessor(endpoint: string, meterProvider: MeterProvider): Promise<SpanProcessor> {
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
