import { type FairQueue, fairQueue } from './fair-queue.ts';

/** Who waits: somebody known to us (signed in, or where their name was signed in to before), or anybody at all. */
export type Lane = 'known' | 'stranger';

/** Work on passwords takes turns, so that a flood of it leaves the rest of the service, and those who are known, their share. */
export type Turns = Readonly<Record<Lane, FairQueue>>;

const maxWaiting = 100;
const maxWaitingForName = 20;

/** `threads` hash in each lane. One more runs at once: what it asks of the database goes on while others are hashed. */
export function createTurns(threads: number): Turns {
  const limits = { slots: threads + 1, waiting: maxWaiting, perName: maxWaitingForName };
  return { known: fairQueue(limits), stranger: fairQueue(limits) };
}
