import { DomainError } from './errors.ts';

export interface AdmissionOptions {
  /** Maximum number of admitted calls at a time; read at each admission. */
  readonly limit: () => number;
  /** Maximum number of waiting calls; further ones are refused at once. */
  readonly maxWaiting: number;
  /** Maximum wait of a call, in a burst. */
  readonly maxWaitMs: number;
  /**
   * Maximum wait while the queue has not been empty for `maxWaitMs`. The load then exceeds the capacity, and waiting would only
   * delay every response (controlled delay, https://queue.acm.org/detail.cfm?id=2839461).
   */
  readonly standingWaitMs: number;
  /** Weight of each class of calls; default 1. A free place goes to the waiting class with the smallest share of its weight. */
  readonly weights?: Readonly<Record<string, number>>;
  readonly now?: () => number;
}

export interface Admission {
  /**
   * Waits for a place and returns the function that frees it, which is idempotent. Rejects with UNAVAILABLE `overloaded` and a
   * time to retry when no place becomes free in time, and with the reason of `signal` when that aborts first.
   */
  enter(name: string, signal?: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  readonly name: string;
  readonly admit: (release: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/** Creates a limit on concurrent calls with a bounded queue for each class of callers. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { limit, maxWaiting, maxWaitMs, standingWaitMs, weights = {}, now = () => performance.now() } = options;
  const queues = new Map<string, Set<Waiter>>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let waiting = 0;
  let emptyAtMs = now();

  function occupy(name: string): () => void {
    running += 1;
    runningOf.set(name, (runningOf.get(name) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      running -= 1;
      runningOf.set(name, (runningOf.get(name) ?? 1) - 1);
      admitNext();
    };
  }

  function admitNext(): void {
    while (waiting > 0 && running < limit()) {
      const [name, queue] = nextClass();
      const [next] = queue;
      if (next === undefined) return;
      remove(next, queue);
      next.admit(occupy(name));
    }
  }

  /** Returns the waiting class with the smallest number of running calls for its weight. */
  function nextClass(): [string, Set<Waiter>] {
    const share = (name: string) => (runningOf.get(name) ?? 0) / (weights[name] ?? 1);
    return [...queues].filter(([, { size }]) => size > 0).reduce((a, b) => (share(b[0]) < share(a[0]) ? b : a));
  }

  function remove(waiter: Waiter, queue: Set<Waiter>): boolean {
    if (!queue.delete(waiter)) return false;
    waiting -= 1;
    if (waiting === 0) emptyAtMs = now();
    return true;
  }

  function wait(name: string, signal: AbortSignal | undefined): Promise<() => void> {
    const known = queues.get(name);
    const queue = known ?? new Set<Waiter>();
    if (known === undefined) queues.set(name, queue);
    const standing = waiting > 0 && now() - emptyAtMs > maxWaitMs;
    const waitMs = standing ? standingWaitMs : maxWaitMs;
    return new Promise((admit, refuse) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        name,
        admit: (release) => {
          settle();
          admit(release);
        },
        refuse: (error) => {
          if (!remove(waiter, queue)) return;
          settle();
          refuse(error);
        },
      };
      const abort = () => waiter.refuse(signal?.reason as Error);
      const timer = setTimeout(() => waiter.refuse(overloaded()), waitMs);
      signal?.addEventListener('abort', abort, { once: true });
      queue.add(waiter);
      waiting += 1;
    });
  }

  return {
    async enter(name, signal) {
      signal?.throwIfAborted();
      if (waiting === 0) {
        emptyAtMs = now();
        if (running < limit()) return occupy(name);
      }
      if (waiting >= maxWaiting) throw overloaded();
      return wait(name, signal);
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
  };
}

const retryAfterS = 2;

function overloaded(): DomainError {
  // Clients that were refused at the same time must not all return at the same time.
  const jittered = retryAfterS + Math.floor(Math.random() * 3);
  const message = 'More requests arrive than can be answered in time: please try again in some seconds';
  return new DomainError('UNAVAILABLE', 'overloaded', message, { retryAfterS: jittered });
}
