import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom work is done: the unit of fair shares (admission.ts). An empty string: unknown. */
export interface Party {
  /** Id of the account; empty for an anonymous caller. */
  readonly account: string;
  /** A keyed hash of the client's IPv4 address, or of the /64 network of its IPv6 address. */
  readonly address: string;
}

export const unknownParty: Party = { account: '', address: '' };
const store = new AsyncLocalStorage<Party>();

/** Runs `work` for a party (AsyncLocalStorage). gRPC calls made in it, also by background work that it starts, propagate the party. */
export function withParty<T>(party: Party, work: () => T): T {
  return store.run(party, work);
}

export function currentParty(): Party {
  return store.getStore() ?? unknownParty;
}

const wellFormed = /^[\w-]{1,64}$/;

/** Returns a given account or address when it is well-formed, otherwise an empty string. */
export function checkedPartyField(given: unknown): string {
  return typeof given === 'string' && wellFormed.test(given) ? given : '';
}
