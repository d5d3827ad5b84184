import { DomainError } from '@husky/runtime/errors';

/** Where a piece of work comes from; networks take turns. */
export interface Place {
  readonly network: string;
  /** The account that it is about; empty: none yet. */
  readonly name: string;
}

export interface FairQueueLimits {
  /** How many run at once. */
  readonly slots: number;
  /** How many wait, in all and for one name. */
  readonly waiting: number;
  readonly perName: number;
}

export type FairQueue = <T>(place: Place, work: () => Promise<T>) => Promise<T>;

interface Waiting extends Place {
  readonly start: () => void;
  readonly refuse: () => void;
}

function busy(): DomainError {
  const message = 'Too many people are signing in right now. Please try again in a moment';
  return new DomainError('RESOURCE_EXHAUSTED', 'busy', message, { retryAfterS: 2 });
}

/**
 * Runs a few at once; what waits is started network by network in turn. When it is full, the newest of the longest
 * network's makes room for a shorter one's: who floods turns itself away, nobody else. The rest is refused with `busy`.
 */
export function fairQueue(limits: FairQueueLimits): FairQueue {
  const networks = new Map<string, Waiting[]>();
  const names = new Map<string, number>();
  let running = 0;
  let waiting = 0;

  function leave(entry: Waiting): void {
    waiting--;
    const left = (names.get(entry.name) ?? 1) - 1;
    if (left === 0) names.delete(entry.name);
    else names.set(entry.name, left);
  }

  function next(): void {
    const [turn] = networks;
    if (!turn) {
      running--;
      return;
    }
    const [network, line] = turn;
    const entry = line.shift();
    networks.delete(network);
    if (line.length > 0) networks.set(network, line);
    if (!entry) throw new Error('A network without anybody waiting was kept');
    leave(entry);
    entry.start();
  }

  function makeRoom(network: string): boolean {
    if (waiting < limits.waiting) return true;
    const own = networks.get(network)?.length ?? 0;
    const longest = [...networks.values()].reduce((a, b) => (b.length > a.length ? b : a));
    if (longest.length <= own + 1) return false;
    const turnedAway = longest.pop();
    if (turnedAway) {
      leave(turnedAway);
      turnedAway.refuse();
    }
    return true;
  }

  function wait(place: Place): Promise<void> {
    const ofName = names.get(place.name) ?? 0;
    if (place.name !== '' && ofName >= limits.perName) throw busy();
    if (!makeRoom(place.network)) throw busy();
    return new Promise((resolve, reject) => {
      const entry = { ...place, start: resolve, refuse: () => reject(busy()) };
      const line = networks.get(place.network);
      if (line) line.push(entry);
      else networks.set(place.network, [entry]);
      names.set(place.name, ofName + 1);
      waiting++;
    });
  }

  return async (place, work) => {
    if (running < limits.slots) running++;
    else await wait(place);
    try {
      return await work();
    } finally {
      next();
    }
  };
}
