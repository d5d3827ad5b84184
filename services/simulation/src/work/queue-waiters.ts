/** A runner's place among those who wait for work at this replica. */
export interface Ticket {
  /** Resolves when there may be work, after `ms`, or when the signal aborts. */
  woken(ms: number, signal: AbortSignal): Promise<void>;
  /** Says that whoever was woken looks for work now. */
  use(): void;
  /** Gives the place up; a wake-up that was not used goes to the next one. */
  leave(): void;
}

/**
 * Runners that wait, first come first served. A wake-up wakes one; whoever finds work wakes the next. Take the ticket
 * before looking for work, so that no wake-up is missed between looking and waiting.
 */
export class QueueWaiters {
  readonly #waiting = new Set<{ wake: () => void; woken: boolean }>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  enter(): Ticket {
    let wake: () => void = () => undefined;
    const signalled = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const place = { wake, woken: this.#closed };
    if (this.#closed) wake();
    this.#waiting.add(place);
    return {
      async woken(ms, signal) {
        let timer: NodeJS.Timeout | undefined;
        let stop: () => void = () => undefined;
        await Promise.race([
          signalled,
          new Promise<void>((resolve) => {
            stop = resolve;
            timer = setTimeout(resolve, ms);
            if (signal.aborted) resolve();
            signal.addEventListener('abort', stop, { once: true });
          }),
        ]);
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      },
      use() {
        place.woken = false;
      },
      leave: () => {
        this.#waiting.delete(place);
        if (place.woken && !this.#closed) this.wakeOne();
      },
    };
  }

  wakeOne(): void {
    for (const place of this.#waiting) {
      if (place.woken) continue;
      place.woken = true;
      place.wake();
      return;
    }
  }

  wakeAll(): void {
    for (const place of this.#waiting) {
      place.woken = true;
      place.wake();
    }
  }

  /** Wakes everybody, now and from now on: the service stops. */
  close(): void {
    this.#closed = true;
    this.wakeAll();
  }
}
