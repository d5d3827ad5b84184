import { type Counter, type Histogram, metrics } from '@opentelemetry/api';

let instruments: { readonly attempts: Counter; readonly durations: Histogram } | undefined;

// Made with the first use: before telemetry has started they would count into nothing.
function made() {
  const meter = metrics.getMeter('husky.simulation');
  instruments ??= {
    attempts: meter.createCounter('husky.attempts.ended', { description: 'Attempts at matches, by class and outcome' }),
    durations: meter.createHistogram('husky.match.duration', {
      description: 'From the claim of a finished attempt to its acceptance',
      unit: 'ms',
      advice: {
        explicitBucketBoundaries: [500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 180_000, 600_000, 1_800_000],
      },
    }),
  };
  return instruments;
}

/** Counts the end of an attempt. A transaction that is rolled back after it counts all the same: that is rare. */
export function countAttempt(kind: string, outcome: string, durationMs: number): void {
  const attributes = { class: kind.toLowerCase(), outcome: outcome.toLowerCase() };
  made().attempts.add(1, attributes);
  if (outcome === 'FINISHED') made().durations.record(durationMs, { class: attributes.class });
}
