// Longer than the burst of requests of one page view.
const windowMs = 5000;

export interface ArrivalRate {
  /** Counts one arrival. */
  record(): void;
  /** Arrivals in the last whole window of 5 s or in the current one, whichever has more, divided by 5. */
  readonly perSecond: number;
}

/** Creates a counter of arrivals per second. It needs no timer. */
export function createArrivalRate(now: () => number = () => performance.now()): ArrivalRate {
  let windowAt = 0;
  let previous = 0;
  let current = 0;

  function moveWindow(): void {
    const at = Math.floor(now() / windowMs);
    if (at === windowAt) return;
    previous = at === windowAt + 1 ? current : 0;
    current = 0;
    windowAt = at;
  }

  return {
    record() {
      moveWindow();
      current += 1;
    },
    get perSecond() {
      moveWindow();
      return Math.max(previous, current) / (windowMs / 1000);
    },
  };
}
