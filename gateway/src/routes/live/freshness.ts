import { type Histogram, metrics } from '@opentelemetry/api';

let delays: Histogram | undefined;

// Created on first use: instruments created before the start of telemetry record nothing.
function recordDelay(delayMs: number): void {
  delays ??= metrics.getMeter('husky.http').createHistogram('http.streams.delay', {
    unit: 'ms',
    description:
      'Largest delay of the hands of a stream in a second, from the time when a hand was played to its writing',
    advice: { explicitBucketBoundaries: [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] },
  });
  delays.record(delayMs);
}

const tickMs = 1000;
/** Interval at which live-data reports the progress of a running match, whether hands were played or not. */
const reportMs = 1000;

/**
 * Records every second how fresh the event stream of a running match is: the largest delay of the hands that were written since the
 * second before, or of what is overdue. Overdue is a hand that has arrived and is not written, and a report of live-data that has not come.
 * A stream that stalls is therefore late as long as it stalls.
 */
export class Freshness {
  readonly #record: (delayMs: number) => void;
  readonly #timer: NodeJS.Timeout;
  /** When the oldest hand that is not written was played, ms since the epoch. */
  #oldestMs: number | undefined;
  #largestMs: number | undefined;
  /** When live-data was last heard of; undefined until it has sent all hands that were stored at the start, which are not late. */
  #heardMs: number | undefined;
  #paused = false;

  constructor(record: (delayMs: number) => void = recordDelay) {
    this.#record = record;
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Call for each progress of the match: live-data has sent all hands that are stored. */
  progress(): void {
    this.#heardMs = performance.now();
  }

  /** Call for hands that arrive, with the time at which the first of them was played (RFC 3339). */
  received(playedAt: string): void {
    if (this.#heardMs === undefined) return;
    this.#heardMs = performance.now();
    const playedMs = Date.parse(playedAt);
    if (!Number.isNaN(playedMs)) this.#oldestMs ??= playedMs;
  }

  /** Call when all hands that have arrived are written. */
  written(): void {
    if (this.#oldestMs === undefined) return;
    this.#largestMs = Math.max(this.#largestMs ?? 0, Date.now() - this.#oldestMs);
    this.#oldestMs = undefined;
  }

  /** Call while the reader does not read, which says nothing about the platform. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#heardMs !== undefined) this.#heardMs = performance.now();
  }

  /** Ends the measurement. Idempotent. */
  stop(): void {
    clearInterval(this.#timer);
    if (this.#largestMs !== undefined) this.#record(this.#largestMs);
    this.#largestMs = undefined;
  }

  #tick(): void {
    if (this.#paused || this.#heardMs === undefined) return;
    const unwrittenMs = this.#oldestMs === undefined ? 0 : Date.now() - this.#oldestMs;
    const silentMs = performance.now() - this.#heardMs - reportMs;
    this.#record(Math.max(this.#largestMs ?? 0, unwrittenMs, silentMs, 0));
    this.#largestMs = undefined;
  }
}
