/**
 * Returns a clock in ms since the epoch that shows `nowMs` now and continues with the monotonic clock: the times of hands are published and
 * compared with that of the commitment, so they must not depend on this machine's clock. 0 (simulation of an older release): the machine's.
 */
export function platformClock(nowMs: number, monotonicMs: () => number = () => performance.now()): () => number {
  if (nowMs === 0) return Date.now;
  const offsetMs = nowMs - monotonicMs();
  return () => Math.floor(offsetMs + monotonicMs());
}
