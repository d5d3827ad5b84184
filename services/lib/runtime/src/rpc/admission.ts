import { DomainError } from './errors.ts';
import { currentParty, type Party } from './party.ts';
import { createShares, type Line, type Use } from './shares.ts';

export interface AdmissionOptions {
  /** Maximum number of admitted calls at a time; read at each admission. */
  readonly limit: () => number;
  /** Maximum number of admitted calls of one class at a time; default: no limit of its own. */
  readonly maxRunning?: Readonly<Record<string, number>>;
  /** The part of the places (0 to 1, rounded up to a whole place) that one account and one address may hold; default: all. */
  readonly share?: { readonly account: number; readonly address: number };
  /**
   * Maximum number of waiting calls of one class. Beyond, the newest call of the address with the most is refused, and of its calls one
   * of the account with the most.
   */
  readonly maxWaiting: number;
  /** Maximum wait of a call, in a burst. */
  readonly maxWaitMs: number;
  /**
   * Maximum wait while the account, or the anonymous callers of the address, have had a waiting call for `maxWaitMs` without a break.
   * Their load then exceeds their share, and waiting would only delay every response (controlled delay,
   * https://queue.acm.org/detail.cfm?id=2839461).
   */
  readonly standingWaitMs: number;
  /** Weight of each class of calls; default 1. A free place goes to the waiting class with the smallest share of its weight. */
  readonly weights?: Readonly<Record<string, number>>;
  /** The error of a call that gets no place; default: UNAVAILABLE `overloaded`. */
  readonly refusal?: () => Error;
  readonly now?: () => number;
}

export interface EnterOptions {
  /** The call leaves the queue, with the signal's reason, when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait; default: that of the admission. */
  readonly maxMs?: number;
  /** Default: the current party. */
  readonly party?: Party;
  /** Ignores the share of the account and the address: for a call that already holds a place and needs another one to free it. */
  readonly beyondShare?: boolean;
}

export interface Admission {
  /**
   * Waits for a place and returns the function that frees it, which is idempotent. Rejects with `refusal` when no place becomes free in
   * time, and with the reason of `signal` when that aborts first.
   */
  enter(name: string, options?: EnterOptions): Promise<() => void>;
  /** Runs `work` in a place. Rejects like `enter`, or with the error of `work`. */
  run<T>(name: string, work: () => Promise<T>, options?: EnterOptions): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  readonly name: string;
  readonly line: Line;
  readonly beyondShare: boolean;
  readonly admit: (release: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Creates a limit on concurrent calls with a bounded queue for each class of callers. Within a class a free place goes to the account that
 * has held places for the shortest time, so that an expensive call counts for more than a cheap one (shares.ts).
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { limit, maxRunning = {}, share, maxWaiting, maxWaitMs, standingWaitMs, weights = {} } = options;
  const { now = () => performance.now(), refusal = overloaded } = options;
  const queues = new Map<string, Set<Waiter>>();
  const runningOf = new Map<string, number>();
  const shares = createShares(now);
  let running = 0;
  let waiting = 0;

  function occupy(name: string, line: Line): () => void {
    running += 1;
    runningOf.set(name, (runningOf.get(name) ?? 0) + 1);
    const end = shares.start(line);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      running -= 1;
      runningOf.set(name, (runningOf.get(name) ?? 1) - 1);
      end();
      admitNext();
    };
  }

  function hasPlace(name: string, { party, account, address }: Line, beyondShare: boolean): boolean {
    const max = Math.min(limit(), maxRunning[name] ?? Infinity);
    if (running >= limit() || (runningOf.get(name) ?? 0) >= max) return false;
    if (share === undefined || beyondShare) return true;
    const mayRun = (key: string, use: Use, part: number) => key === '' || use.running < Math.ceil(part * max);
    return mayRun(party.account, account, share.account) && mayRun(party.address, address, share.address);
  }

  function admitNext(): void {
    while (waiting > 0 && running < limit()) {
      const next = nextWaiter();
      if (next === undefined) return;
      remove(next);
      next.admit(occupy(next.name, next.line));
    }
  }

  /** Returns the next call of the class that may run one more and has the smallest number of running calls for its weight. */
  function nextWaiter(): Waiter | undefined {
    const classShare = (name: string) => (runningOf.get(name) ?? 0) / (weights[name] ?? 1);
    for (const name of [...queues.keys()].sort((a, b) => classShare(a) - classShare(b))) {
      const able = [...queueOf(name)].filter(({ line, beyondShare }) => hasPlace(name, line, beyondShare));
      const next = shares.first(able);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  function remove(waiter: Waiter): boolean {
    if (!queueOf(waiter.name).delete(waiter)) return false;
    waiting -= 1;
    shares.endWait(waiter.line);
    return true;
  }

  function queueOf(name: string): Set<Waiter> {
    const queue = queues.get(name) ?? new Set<Waiter>();
    queues.set(name, queue);
    return queue;
  }

  /** Refuses a waiting call in favour of a new one if a queue is full. Returns false if the new call is the one to refuse. */
  function makeRoom(name: string, line: Line): boolean {
    const queue = queueOf(name);
    if (queue.size < maxWaiting) return true;
    // With the new call.
    const waitingOf = (use: Use) => use.waiting + (use === line.address || use === line.account ? 1 : 0);
    const isLonger = (a: Line, b: Line) =>
      waitingOf(a.address) - waitingOf(b.address) || waitingOf(a.account) - waitingOf(b.account);
    let longest: Waiter | undefined;
    for (const waiter of queue) if (longest === undefined || isLonger(waiter.line, longest.line) >= 0) longest = waiter;
    if (longest === undefined || isLonger(longest.line, line) <= 0) return false;
    longest.refuse(refusal());
    return true;
  }

  function wait(name: string, line: Line, options: EnterOptions): Promise<() => void> {
    const { signal, maxMs = Infinity, beyondShare = false } = options;
    const isStanding = line.account.waiting > 0 && now() - line.account.waitingSinceMs > maxWaitMs;
    const waitMs = Math.min(isStanding ? standingWaitMs : maxWaitMs, maxMs);
    return new Promise((admit, refuse) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        name,
        line,
        beyondShare,
        admit: (release) => {
          settle();
          admit(release);
        },
        refuse: (error) => {
          if (!remove(waiter)) return;
          settle();
          refuse(error);
        },
      };
      const abort = () => waiter.refuse(signal?.reason as Error);
      const timer = setTimeout(() => waiter.refuse(refusal()), waitMs);
      signal?.addEventListener('abort', abort, { once: true });
      queueOf(name).add(waiter);
      waiting += 1;
      shares.startWait(line);
    });
  }

  async function enter(name: string, options: EnterOptions = {}): Promise<() => void> {
    options.signal?.throwIfAborted();
    // The limit may have grown. Afterwards no waiting call can use a place that is still free.
    admitNext();
    const line = shares.lineOf(options.party ?? currentParty());
    if (hasPlace(name, line, options.beyondShare === true)) return occupy(name, line);
    if (!makeRoom(name, line)) throw refusal();
    return wait(name, line, options);
  }

  return {
    enter,
    async run(name, work, options) {
      const leave = await enter(name, options);
      try {
        return await work();
      } finally {
        leave();
      }
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
