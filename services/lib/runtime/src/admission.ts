import { DomainError } from './errors.ts';

export interface AdmissionOptions {
  /** Maximum number of admitted calls at a time; read at each admission. */
  readonly limit: () => number;
  /** Maximum number of admitted calls of one class at a time; default: no limit of its own. */
  readonly maxRunning?: Readonly<Record<string, number>>;
  /** Maximum number of waiting calls of one class; further ones are refused at once. */
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
   * time to retry when no place becomes free in time, at the latest after `maxMs`, and with the reason of `signal` when that aborts first.
   */
  enter(name: string, signal?: AbortSignal, maxMs?: number): Promise<() => void>;
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
  const { limit, maxRunning = {}, maxWaiting, maxWaitMs, standingWaitMs, weights = {} } = options;
  const { now = () => performance.now() } = options;
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

  const hasPlace = (name: string) =>
    running < limit() && (runningOf.get(name) ?? 0) < (maxRunning[name] ?? Number.POSITIVE_INFINITY);

  function admitNext(): void {
    while (waiting > 0) {
      const next = nextClass();
      if (next === undefined) return;
      const [name, queue] = next;
      const [waiter] = queue;
      if (waiter === undefined) return;
      remove(waiter, queue);
      waiter.admit(occupy(name));
    }
  }

  /** Returns the waiting class that may run one more call and has the smallest number of running calls for its weight. */
  function nextClass(): [string, Set<Waiter>] | undefined {
    const share = (name: string) => (runningOf.get(name) ?? 0) / (weights[name] ?? 1);
    const candidates = [...queues].filter(([name, { size }]) => size > 0 && hasPlace(name));
    return candidates.toSorted(([a], [b]) => share(a) - share(b))[0];
  }

  function remove(waiter: Waiter, queue: Set<Waiter>): boolean {
    if (!queue.delete(waiter)) return false;
    waiting -= 1;
    if (waiting === 0) emptyAtMs = now();
    return true;
  }

  function queueOf(name: string): Set<Waiter> {
    const queue = queues.get(name) ?? new Set<Waiter>();
    queues.set(name, queue);
    return queue;
  }

  function wait(name: string, signal: AbortSignal | undefined, maxMs: number): Promise<() => void> {
    const queue = queueOf(name);
    const standing = waiting > 0 && now() - emptyAtMs > maxWaitMs;
    const waitMs = Math.min(standing ? standingWaitMs : maxWaitMs, maxMs);
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
    async enter(name, signal, maxMs = Number.POSITIVE_INFINITY) {
      signal?.throwIfAborted();
      // The limit may have grown.
      admitNext();
      if (waiting === 0) emptyAtMs = now();
      const { size } = queueOf(name);
      if (size === 0 && hasPlace(name)) return occupy(name);
      if (size >= maxWaiting) throw overloaded();
      return wait(name, signal, maxMs);
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
  };
}

/** Returns the seconds after which a refused client may retry: 2 to 4, so that clients refused at the same time do not all return at once. */
export const jitteredRetryAfterS = (): number => 2 + Math.floor(Math.random() * 3);

/** Creates the refusal of a call because of overload. */
export function overloaded(): DomainError {
  const message = 'More requests arrive than can be answered in time: please try again in some seconds';
  return new DomainError('UNAVAILABLE', 'overloaded', message, { retryAfterS: jitteredRetryAfterS() });
}
