import { createAdmission } from '@husky/runtime/rpc/admission';
import { DomainError } from '@husky/runtime/rpc/errors';

/** The origin of a job. */
export interface JobOrigin {
  /** The client's network, or what proves that the job is its owner's own: such a job does not wait behind others of the network. */
  readonly network: string;
  /** The account that the job concerns; empty for none. */
  readonly name: string;
}

/** Runs a job when a place is free. Rejects with RESOURCE_EXHAUSTED `busy` when 100 wait or no place becomes free in time. */
export type FairQueue = <T>(origin: JobOrigin, job: () => Promise<T>) => Promise<T>;

/** `known`: signed-in users, and sign-ins from a network that the account was used from. `stranger`: everybody else. */
export type HashPriority = 'known' | 'stranger';

/** One queue per priority, so that a flood of strangers delays neither known users nor the rest of the service. */
export type HashQueues = Readonly<Record<HashPriority, FairQueue>>;

/**
 * Creates the queues for `threads` hash threads per priority. Each runs one job more than it has threads, so that the database calls of one
 * job overlap with the hashing of others. Networks are served in turn, and the names of a network, whatever others send in them elsewhere.
 */
export function createHashQueues(threads: number): HashQueues {
  const createQueue = (standingWaitMs: number): FairQueue => {
    const waits = { maxWaiting: 100, maxWaitMs: 5000, standingWaitMs, standingMs: standingWaitMs };
    const places = createAdmission({ limit: () => threads + 1, accountsOfAddress: 1, ...waits, refusal: busy });
    return ({ network, name }, job) =>
      places.run('hashes', job, { party: { account: name && `${network} ${name}`, address: network } });
  };
  // Within 200 ms nearly every sign-in that is accepted under overload meets its objective of 1 s (docs/slo.md). Registrations and first
  // sign-ins of an event come in bursts from one network, which last longer.
  return { known: createQueue(200), stranger: createQueue(1000) };
}

function busy(): DomainError {
  const message = 'Too many people are signing in right now. Please try again in a moment';
  return new DomainError('RESOURCE_EXHAUSTED', 'busy', message, { retryAfterS: 2 });
}
