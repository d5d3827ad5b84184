import { DomainError } from './errors.ts';
import { currentParty, type Party } from './party.ts';

export interface AdmissionOptions {
  /** Places in all; read at each admission. */
  readonly limit: () => number;
  /** Places of one class of calls; default: all. */
  readonly maxRunning?: Readonly<Record<string, number>>;
  /** Places of one account and one address: below 1 a part, rounded up, from 1 on a number; default: all. */
  readonly share?: { readonly account: number; readonly address: number };
  /** Places of each account beyond the share of its address, up to `address` of that. */
  readonly reserve?: { readonly account: number; readonly address: number };
  /**
   * Maximum number of waiting calls of one class. Beyond, the newest call of the address with the most is refused, and of its calls one
   * of the account with the most.
   */
  readonly maxWaiting?: number;
  /** Maximum wait of a call, in a burst. */
  readonly maxWaitMs?: number;
  /**
   * Maximum wait while the account, or the anonymous callers of the address (without shares: the class), have had a waiting call for
   * `standingMs` without a break: more waiting would only delay every response (controlled delay,
   * https://queue.acm.org/detail.cfm?id=2839461). Both default to maxWaitMs.
   */
  readonly standingWaitMs?: number;
  readonly standingMs?: number;
  /** An address has the share of this many accounts when others wait. */
  readonly accountsOfAddress?: number;
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
  /** Ignores the shares: for a call that already holds a place and needs another one to free it. */
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
  /** Takes places without waiting. Returns the function that frees them, or what is used up. */
  take(name: string, party: Party, places?: number): (() => void) | UsedUp;
  readonly running: number;
  readonly waiting: number;
}

export type UsedUp = 'account' | 'address' | 'all';

/** What a class of calls, an account or an address has of the places. */
interface Use {
  running: number;
  waiting: number;
  /** When the first of the calls began to wait that have been waiting without a break. */
  waitingSinceMs: number;
  /** Time for which places were held, ms, on the scale of the virtual time; without that of the running calls. */
  usedMs: number;
  /** Sum of the times at which the running calls started. */
  startedMs: number;
}

/** The uses to which a call is charged. */
interface Line {
  readonly name: string;
  readonly party: Party;
  readonly uses: readonly [kind: Use, account: Use, address: Use];
}

interface Waiter {
  readonly line: Line;
  readonly beyondShare: boolean;
  readonly admit: (release: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/** An address has the share of this many accounts. */
export const accountsOfAddress = 4;
const minForgotten = 1000;
const isIdle = ({ running, waiting }: Use) => running === 0 && waiting === 0;

/**
 * Creates a limit on concurrent calls with a bounded queue for each class. A free place goes to the class with the fewest, in it to the
 * account that has held places for the shortest time: start-time fair queueing (Goyal, Vin and Cheng, 1996) with costs that are known
 * afterwards. All accounts of an address count as four, its anonymous callers as one. The use of a party that returns begins at the rank
 * that is served now, so that nobody saves up a share.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { limit, maxRunning = {}, share, reserve, maxWaiting = 0, maxWaitMs = 0 } = options;
  const {
    standingWaitMs = maxWaitMs,
    standingMs = maxWaitMs,
    accountsOfAddress: accounts = accountsOfAddress,
  } = options;
  const { now = () => performance.now(), refusal = overloaded } = options;
  const uses = new Map<string, Use>();
  const waiters = new Set<Waiter>();
  let running = 0;
  let virtualMs = 0;
  let forgetAt = minForgotten;

  const usedBy = (use: Use, at: number) => use.usedMs + use.running * at - use.startedMs;
  const rankOf = ([, account, address]: Line['uses'], at: number) =>
    Math.max(usedBy(account, at), usedBy(address, at) / accounts);

  function useOf(key: string, startMs: number): Use {
    const use = uses.get(key) ?? { running: 0, waiting: 0, waitingSinceMs: 0, usedMs: 0, startedMs: 0 };
    if (isIdle(use)) use.usedMs = Math.max(use.usedMs, startMs);
    uses.set(key, use);
    return use;
  }

  function lineOf(name: string, party: Party): Line {
    if (uses.size >= forgetAt) {
      for (const [key, use] of uses) if (isIdle(use)) uses.delete(key);
      forgetAt = Math.max(minForgotten, 2 * uses.size);
    }
    const { account, address } = party;
    const ofAccount = useOf(account === '' ? `anonymous ${address}` : `account ${account}`, virtualMs);
    const ofAddress = useOf(`address ${address}`, accounts * virtualMs);
    return { name, party, uses: [useOf(`class ${name}`, 0), ofAccount, ofAddress] };
  }

  /** Returns what is used up for a call. */
  function usedUp({ name, party, uses: [kind, account, address] }: Line, places = 1, beyondShare = false) {
    const max = Math.min(limit(), maxRunning[name] ?? Infinity);
    const isBeyond = (key: string, use: Use, part = Infinity) =>
      !beyondShare && key !== '' && use.running + places > (part < 1 ? Math.ceil(part * max) : part);
    if (isBeyond(party.account, account, share?.account)) return 'account';
    const isReserved = party.account !== '' && account.running + places <= (reserve?.account ?? 0);
    const most = isReserved ? reserve?.address : share?.address;
    if (isBeyond(party.address, address, most)) return 'address';
    return running + places > limit() || kind.running + places > max ? 'all' : undefined;
  }

  function occupy(line: Line, places = 1): () => void {
    const startedMs = now();
    virtualMs = Math.max(virtualMs, rankOf(line.uses, startedMs));
    running += places;
    for (const use of line.uses) {
      use.running += places;
      use.startedMs += places * startedMs;
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      running -= places;
      for (const use of line.uses) {
        use.usedMs += places * (now() - startedMs);
        use.running -= places;
        use.startedMs -= places * startedMs;
      }
      admitNext();
    };
  }

  /** Negative if `a` is served before `b`. */
  const order = (a: Line['uses'], b: Line['uses'], at: number) =>
    a[0].running - b[0].running || rankOf(a, at) - rankOf(b, at) || usedBy(a[1], at) - usedBy(b[1], at);

  function admitNext(): void {
    while (waiters.size > 0 && running < limit()) {
      const at = now();
      let next: Waiter | undefined;
      for (const waiter of waiters) {
        if (usedUp(waiter.line, 1, waiter.beyondShare) !== undefined) continue;
        if (next === undefined || order(waiter.line.uses, next.line.uses, at) < 0) next = waiter;
      }
      if (next === undefined) return;
      remove(next);
      next.admit(occupy(next.line));
    }
  }

  function remove(waiter: Waiter): boolean {
    if (!waiters.delete(waiter)) return false;
    for (const use of waiter.line.uses) use.waiting -= 1;
    return true;
  }

  /** Refuses a waiting call in favour of a new one if the queue is full. Returns false if the new call is the one to refuse. */
  function makeRoom({ name, uses: own }: Line): boolean {
    if (own[0].waiting < maxWaiting) return true;
    const waitingOf = (use: Use) => use.waiting + (own.includes(use) ? 1 : 0);
    const compare = ([, a, aAddress]: Line['uses'], [, b, bAddress]: Line['uses']) =>
      waitingOf(aAddress) - waitingOf(bAddress) || waitingOf(a) - waitingOf(b);
    let longest: Waiter | undefined;
    for (const waiter of waiters) {
      if (waiter.line.name !== name) continue;
      if (longest === undefined || compare(waiter.line.uses, longest.line.uses) >= 0) longest = waiter;
    }
    if (longest === undefined || compare(longest.line.uses, own) <= 0) return false;
    remove(longest);
    longest.refuse(refusal());
    return true;
  }

  function wait(line: Line, { signal, maxMs = Infinity, beyondShare = false }: EnterOptions): Promise<() => void> {
    const [kind, account] = line.uses;
    const { waiting, waitingSinceMs } = share === undefined ? kind : account;
    const isStanding = waiting > 0 && now() - waitingSinceMs > standingMs;
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { line, beyondShare, admit: resolve, refuse: reject };
    const abort = () => remove(waiter) && reject(signal?.reason);
    const waitMs = Math.min(isStanding ? standingWaitMs : maxWaitMs, maxMs);
    const timer = setTimeout(() => remove(waiter) && reject(refusal()), waitMs);
    signal?.addEventListener('abort', abort, { once: true });
    waiters.add(waiter);
    for (const use of line.uses) {
      if (use.waiting === 0) use.waitingSinceMs = now();
      use.waiting += 1;
    }
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  }

  async function enter(name: string, entering: EnterOptions = {}): Promise<() => void> {
    entering.signal?.throwIfAborted();
    // The limit may have grown. Afterwards no waiting call can use a place that is still free.
    admitNext();
    const line = lineOf(name, entering.party ?? currentParty());
    if (usedUp(line, 1, entering.beyondShare) === undefined) return occupy(line);
    if (!makeRoom(line)) throw refusal();
    return wait(line, entering);
  }

  return {
    enter,
    async run(name, work, entering) {
      const leave = await enter(name, entering);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    take(name, party, places) {
      const line = lineOf(name, party);
      return usedUp(line, places) ?? occupy(line, places);
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiters.size;
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
