import type { WaitTimers } from '../src/work/queue-waiters.ts';

/** Timers that fire only when a test advances them. */
export function manualTimers(): WaitTimers & { pending(): number; advance(ms: number): void } {
  let nowMs = 0;
  const pending = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    nowMs: () => nowMs,
    schedule(ms, callback) {
      const timer = { at: nowMs + ms, callback };
      pending.add(timer);
      return () => pending.delete(timer);
    },
    pending: () => pending.size,
    advance(ms) {
      nowMs += ms;
      for (const timer of [...pending]) {
        if (timer.at > nowMs) continue;
        pending.delete(timer);
        timer.callback();
      }
    },
  };
}
