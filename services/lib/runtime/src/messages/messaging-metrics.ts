import { type BatchObservableResult, type Histogram, metrics, type ObservableGauge } from '@opentelemetry/api';
import { readInTime } from '../telemetry/read-in-time.ts';

interface Instruments {
  readonly durations: Histogram;
  readonly lag: ObservableGauge;
}

let instruments: Instruments | undefined;

// Created on first use: instruments created before the start of telemetry record nothing.
function getInstruments(): Instruments {
  const meter = metrics.getMeter('husky.messaging');
  instruments ??= {
    durations: meter.createHistogram('messaging.process.duration', {
      unit: 's',
      description: 'Time to handle an event, by consumer and outcome',
      advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
    }),
    lag: meter.createObservableGauge('messaging.consumer.lag', {
      unit: '{message}',
      description: 'Messages of a durable consumer that are not acknowledged, delivered or not',
    }),
  };
  return instruments;
}

export interface MeasuredConsumer {
  /** Sets the function that reads the lag. It is called at each collection of the metrics. */
  setLagReader(read: () => Promise<number>): void;
  record(durationMs: number, outcome: 'handled' | 'failed'): void;
  /** Ends the export of the lag. */
  stop(): void;
}

/** Exports the lag of a durable consumer and the durations of its handler. */
export function measureConsumer(durable: string): MeasuredConsumer {
  const attributes = { consumer: durable };
  const { durations, lag } = getInstruments();
  let read: (() => Promise<number>) | undefined;
  const observe: Parameters<ObservableGauge['addCallback']>[0] = async (result) => {
    const value = read && (await readInTime(read));
    if (value !== undefined) result.observe(value, attributes);
  };
  return {
    setLagReader(reader) {
      if (read === undefined) lag.addCallback(observe);
      read = reader;
    },
    record: (durationMs, outcome) => durations.record(durationMs / 1000, { ...attributes, outcome }),
    stop: () => lag.removeCallback(observe),
  };
}

/** Exports the size of a stream and its limit (absent: none). `read` is called at each collection of the metrics. */
export function measureStream(
  stream: string,
  read: () => Promise<{ readonly bytes: number; readonly maxBytes: number }>,
): { stop(): void } {
  const meter = metrics.getMeter('husky.messaging');
  const size = meter.createObservableGauge('messaging.stream.bytes', { unit: 'By', description: 'Size of a stream' });
  const description = 'Size of a stream beyond which its oldest events are removed';
  const limit = meter.createObservableGauge('messaging.stream.max_bytes', { unit: 'By', description });
  const observe = async (result: BatchObservableResult) => {
    const found = await readInTime(read);
    if (found === undefined) return;
    result.observe(size, found.bytes, { stream });
    if (found.maxBytes > 0) result.observe(limit, found.maxBytes, { stream });
  };
  meter.addBatchObservableCallback(observe, [size, limit]);
  return { stop: () => meter.removeBatchObservableCallback(observe, [size, limit]) };
}
