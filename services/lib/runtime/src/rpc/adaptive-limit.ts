export interface AdaptiveLimitOptions {
  /** Lower bound of the limit; read at each adjustment. */
  readonly min: () => number;
  readonly max: number;
  readonly first: number;
  /** The limit decreases while more than a twentieth of the calls take longer. */
  readonly targetMs: number;
  /** Minimum time between two adjustments. */
  readonly everyMs?: number;
  readonly now?: () => number;
}

export interface AdaptiveLimit {
  readonly current: number;
  /** Records the duration of an admitted call, and the number of calls that ran beside it. */
  record(durationMs: number, running: number): void;
}

/** With fewer calls the share of slow ones is not significant. */
const minSamples = 20;

/**
 * Creates a limit on concurrent calls that adapts to their durations. After a period in which more than a twentieth of the calls took
 * longer than `targetMs` it decreases by a quarter, otherwise it increases by a sixteenth of `first` (additive increase,
 * multiplicative decrease, as TCP does). Only periods in which at least half of the limit was in use count, so that a few slow calls
 * do not decrease it.
 */
export function createAdaptiveLimit(options: AdaptiveLimitOptions): AdaptiveLimit {
  const { min, max, first, targetMs, everyMs = 250, now = () => performance.now() } = options;
  let current = first;
  let samples = 0;
  let late = 0;
  let maxRunning = 0;
  let sinceMs = now();
  return {
    get current() {
      return Math.floor(current);
    },
    record(durationMs, running) {
      samples += 1;
      if (durationMs > targetMs) late += 1;
      maxRunning = Math.max(maxRunning, running);
      if (samples < minSamples || now() - sinceMs < everyMs) return;
      if (maxRunning >= current / 2) current = late > samples / 20 ? 0.75 * current : current + first / 16;
      current = Math.min(max, Math.max(min(), current));
      samples = 0;
      late = 0;
      maxRunning = 0;
      sinceMs = now();
    },
  };
}
