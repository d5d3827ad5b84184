import { DomainError } from '@husky/runtime/rpc/errors';

/** The origin of a job, for fair scheduling and limits. */
export interface JobOrigin {
  /** The client's network, or what proves that the job is its owner's own: such a job does not wait behind others of the network. */
  readonly network: string;
  /** The account that the job concerns; empty for none. */
  readonly name: string;
}

export interface FairQueueLimits {
  /** Jobs that run concurrently. */
  readonly slots: number;
  /** Jobs that wait, in total and for one account name of one network. */
  readonly waiting: number;
  readonly perName: number;
  /** Maximum wait of a job. */
  readonly maxWaitMs: number;
  /**
   * Maximum wait of new jobs once jobs have been waiting without a break for `standingMs`: the load exceeds the capacity, or a burst is
   * being served. While more jobs of a network have arrived since then than started, each arrival rejects the two oldest jobs of its
   * network that have waited longer than this. Ends `standingMs` after the last such moment, so that a queue which is empty for a
   * moment does not begin again with long waits.
   */
  readonly standingWaitMs: number;
  readonly standingMs: number;
}

/** Runs a job when a slot is free. Rejects with RESOURCE_EXHAUSTED `busy` when a limit is reached or no slot becomes free in time. */
export type FairQueue = <T>(origin: JobOrigin, job: () => Promise<T>) => Promise<T>;

/** `known`: signed-in users, and sign-ins from a network that the account was used from. `stranger`: everybody else. */
export type HashPriority = 'known' | 'stranger';

/** One queue per priority, so that a flood of strangers delays neither known users nor the rest of the service. */
export type HashQueues = Readonly<Record<HashPriority, FairQueue>>;

const maxWaiting = 100;
const maxWaitingForName = 20;
// Two: the queue becomes shorter while the overload lasts, and one arrival, which can also be chance, does not reject a whole burst.
const rejectedPerArrival = 2;
const maxWaitMs = 5000;
// Within these waits nearly every sign-in that is accepted under overload meets its objective of 1 s, and the others are refused in time
// (docs/slo.md).
const knownWaits = { maxWaitMs, standingWaitMs: 200, standingMs: 200 };
// Registrations and first sign-ins of an event come in bursts from one network, which last longer.
const strangerWaits = { maxWaitMs, standingWaitMs: 1000, standingMs: 1000 };

/**
 * Creates the queues for `threads` hash threads per priority. Each runs one job more than it has threads, so that the
 * database calls of one job overlap with the hashing of others.
 */
export function createHashQueues(threads: number): HashQueues {
  const limits = { slots: threads + 1, waiting: maxWaiting, perName: maxWaitingForName };
  return { known: fairQueue({ ...limits, ...knownWaits }), stranger: fairQueue({ ...limits, ...strangerWaits }) };
}

interface Waiting extends JobOrigin {
  readonly sinceMs: number;
  readonly start: () => void;
  readonly reject: () => void;
  readonly timer: NodeJS.Timeout;
}

/** A network with waiting jobs. */
interface WaitingNetwork {
  /** Oldest first. */
  readonly jobs: Waiting[];
  /** Names by the order in which a job of each was last started, since jobs of the network wait without a break. */
  readonly served: Map<string, number>;
  /** Jobs that have arrived less those that have started, while jobs were waiting without a break; rejected jobs do not count. */
  surplus: number;
}

/**
 * Creates a queue that serves networks round-robin, and the names of a network too. When it is full, the newest job of the network with the most waiting
 * jobs is rejected in favour of a network with fewer, so a flood displaces only itself.
 */
export function fairQueue(limits: FairQueueLimits): FairQueue {
  const networks = new Map<string, WaitingNetwork>();
  let running = 0;
  let started = 0;
  let waiting = 0;
  /** Since when jobs have been waiting without a break. */
  let waitingSinceMs = 0;
  let standingUntilMs = 0;

  /** Returns whether jobs have been waiting without a break, now or shortly before. Call it before the last waiting job is removed. */
  function updateStanding(): boolean {
    const nowMs = performance.now();
    if (waiting > 0 && nowMs - waitingSinceMs > limits.standingMs) standingUntilMs = nowMs + limits.standingMs;
    return nowMs < standingUntilMs;
  }

  function countRemoved(entry: Waiting): void {
    clearTimeout(entry.timer);
    waiting--;
  }

  /** Removes the oldest job of the name that was served longest ago. */
  function takeNext({ jobs, served }: WaitingNetwork): Waiting | undefined {
    const servedAt = (job: Waiting) => served.get(job.name) ?? 0;
    const next = jobs.reduce<Waiting | undefined>(
      (a, b) => (a === undefined || servedAt(b) < servedAt(a) ? b : a),
      undefined,
    );
    if (next === undefined) return undefined;
    jobs.splice(jobs.indexOf(next), 1);
    served.set(next.name, ++started);
    return next;
  }

  function startNext(): void {
    const [first] = networks;
    if (!first) {
      running--;
      return;
    }
    const [name, network] = first;
    const entry = takeNext(network);
    network.surplus = updateStanding() ? network.surplus - 1 : 0;
    // Reinserting the network puts it last in the round-robin order.
    networks.delete(name);
    if (network.jobs.length > 0) networks.set(name, network);
    if (!entry) throw new Error('hash queue: a network without waiting jobs was kept');
    countRemoved(entry);
    entry.start();
  }

  /** Rejects waiting jobs of a network. */
  function reject(name: string, entries: readonly Waiting[]): void {
    const network = networks.get(name);
    for (const entry of entries) {
      network?.jobs.splice(network.jobs.indexOf(entry), 1);
      countRemoved(entry);
      entry.reject();
    }
    if (network?.jobs.length === 0) networks.delete(name);
  }

  function makeRoom(name: string): boolean {
    if (waiting < limits.waiting) return true;
    const own = networks.get(name)?.jobs.length ?? 0;
    const [longestName, longest] = [...networks].reduce((a, b) => (b[1].jobs.length > a[1].jobs.length ? b : a));
    if (longest.jobs.length <= own + 1) return false;
    reject(longestName, longest.jobs.slice(-1));
    return true;
  }

  function wait(origin: JobOrigin): Promise<void> {
    const ofName = networks.get(origin.network)?.jobs.filter(({ name }) => name === origin.name).length ?? 0;
    if (origin.name !== '' && ofName >= limits.perName) throw busy();
    if (!makeRoom(origin.network)) throw busy();
    const isStanding = updateStanding();
    const maxWaitMs = isStanding ? limits.standingWaitMs : limits.maxWaitMs;
    return new Promise((resolve, refuse) => {
      const sinceMs = performance.now();
      const timer = setTimeout(() => reject(origin.network, [entry]), maxWaitMs);
      const entry: Waiting = { ...origin, sinceMs, start: resolve, reject: () => refuse(busy()), timer };
      const network = networks.get(origin.network) ?? newNetwork();
      networks.set(origin.network, network);
      network.jobs.push(entry);
      network.surplus = isStanding ? network.surplus + 1 : 0;
      if (waiting === 0) waitingSinceMs = sinceMs;
      waiting++;
      if (network.surplus > 0) {
        const late = network.jobs.filter((job) => sinceMs - job.sinceMs > limits.standingWaitMs);
        reject(origin.network, late.slice(0, rejectedPerArrival));
      }
    });
  }

  return async (origin, job) => {
    if (running < limits.slots) running++;
    else await wait(origin);
    try {
      return await job();
    } finally {
      startNext();
    }
  };
}

const newNetwork = (): WaitingNetwork => ({ jobs: [], served: new Map(), surplus: 0 });

function busy(): DomainError {
  const message = 'Too many people are signing in right now. Please try again in a moment';
  return new DomainError('RESOURCE_EXHAUSTED', 'busy', message, { retryAfterS: 2 });
}
