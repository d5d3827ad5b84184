/**
 * Returns a clock in ms since the epoch that shows `nowMs` now and continues with the monotonic clock. The times of hands are published and
 * compared with that of the commitment, so they must not depend on this machine's clock. For 0, which a simulation of an older release
 * sends, returns the machine's clock.
 */
export function platformClock(nowMs: number, monotonicMs: () => number = () => performance.now()): () => number {
  if (nowMs === 0) return Date.now;
  const offsetMs = nowMs - monotonicMs();
  return () => Math.floor(offsetMs + monotonicMs());
}
