export interface AdaptiveLimitOptions {
  /** Lower end of the limit; read at each decision. */
  readonly min: () => number;
  readonly max: number;
  readonly first: number;
  /** The limit shrinks while a tenth of the calls takes longer. */
  readonly targetMs: number;
  /** Period of one decision. */
  readonly everyMs?: number;
  readonly now?: () => number;
}

export interface AdaptiveLimit {
  readonly current: number;
  /** Records the duration of an admitted call, and the number of calls that ran beside it. */
  record(durationMs: number, running: number): void;
}

/** Fewer calls say nothing about a tenth of them. */
const minSamples = 10;

/**
 * Adapts a limit on concurrent calls to what is answered in time: a quarter less after a period in which a tenth of the calls
 * took longer than `targetMs`, one sixteenth more after a good one (additive increase, multiplicative decrease, as TCP does). Only
 * periods in which at least half of the limit was in use count, so that a few slow calls do not shrink it.
 */
export function createAdaptiveLimit(options: AdaptiveLimitOptions): AdaptiveLimit {
  const { min, max, first, targetMs, everyMs = 250, now = () => performance.now() } = options;
  let current = first;
  let samples = 0;
  let late = 0;
  let most = 0;
  let sinceMs = now();
  return {
    get current() {
      return Math.floor(current);
    },
    record(durationMs, running) {
      samples += 1;
      if (durationMs > targetMs) late += 1;
      most = Math.max(most, running);
      if (samples < minSamples || now() - sinceMs < everyMs) return;
      if (most >= current / 2) current = late > samples / 10 ? 0.75 * current : current + first / 16;
      current = Math.min(max, Math.max(min(), current));
      samples = 0;
      late = 0;
      most = 0;
      sinceMs = now();
    },
  };
}
