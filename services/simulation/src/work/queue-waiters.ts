/** A runner's place among the runners that wait for work at this replica. */
export interface Ticket {
  /** Resolves on a wake-up, after `ms`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Marks the wake-up as used, because the runner has found work. */
  consumeWakeUp(): void;
  /** Leaves the queue; passes an unused wake-up on to the next runner. */
  leave(): void;
}

/** Monotonic time and timers, which tests replace. */
export interface WaitTimers {
  nowMs(): number;
  /** Calls back once after `ms`; returns a function that cancels the call. */
  schedule(ms: number, callback: () => void): () => void;
}

const systemTimers: WaitTimers = {
  nowMs: () => performance.now(),
  schedule(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Runners that wait for work, in order of arrival. A wake-up wakes one; a runner that finds work wakes the next ones. Enter before
 * the query for work, so that no wake-up is missed between the query and the wait.
 */
export class QueueWaiters {
  readonly #waiting = new Set<{ wake: () => void; woken: boolean }>();
  readonly #timers: WaitTimers;
  #closed = false;

  constructor(timers: WaitTimers = systemTimers) {
    this.#timers = timers;
  }

  get closed(): boolean {
    return this.#closed;
  }

  nowMs(): number {
    return this.#timers.nowMs();
  }

  enter(): Ticket {
    const { promise: signalled, resolve: wake } = Promise.withResolvers<void>();
    const entry = { wake, woken: this.#closed };
    if (this.#closed) wake();
    this.#waiting.add(entry);
    return {
      wait: async (ms, signal) => {
        const { promise: timedOut, resolve: stop } = Promise.withResolvers<void>();
        const onAbort = () => stop();
        if (signal.aborted) stop();
        signal.addEventListener('abort', onAbort, { once: true });
        const cancel = this.#timers.schedule(ms, stop);
        await Promise.race([signalled, timedOut]);
        cancel();
        signal.removeEventListener('abort', onAbort);
      },
      consumeWakeUp() {
        entry.woken = false;
      },
      leave: () => {
        this.#waiting.delete(entry);
        if (entry.woken && !this.#closed) this.wake();
      },
    };
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Wakes the `count` runners that have waited longest. */
  wake(count = 1): void {
    let remaining = count;
    for (const entry of this.#waiting) {
      if (remaining <= 0) return;
      if (entry.woken) continue;
      remaining -= 1;
      entry.woken = true;
      entry.wake();
    }
  }

  wakeAll(): void {
    this.wake(this.#waiting.size);
  }

  /** Resolves all pending and future waits. Called on shutdown. */
  close(): void {
    this.#closed = true;
    this.wakeAll();
  }
}
