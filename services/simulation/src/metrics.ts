import { type Counter, type Histogram, metrics } from '@opentelemetry/api';

let instruments: { readonly attempts: Counter; readonly durations: Histogram } | undefined;

// Created on first use: instruments created before the start of telemetry record nothing.
function getInstruments() {
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

/** Counts the end of an attempt, even if the transaction is rolled back later, which is rare. */
export function countAttempt(kind: string, outcome: string, durationMs: number): void {
  const attributes = { class: kind.toLowerCase(), outcome: outcome.toLowerCase() };
  getInstruments().attempts.add(1, attributes);
  if (outcome === 'FINISHED') getInstruments().durations.record(durationMs, { class: attributes.class });
}
