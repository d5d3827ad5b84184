import { AsyncLocalStorage } from 'node:async_hooks';

const store = new AsyncLocalStorage<string>();

/** Runs `work` within the request with this id (AsyncLocalStorage). gRPC calls made in it propagate the id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return store.run(id, work);
}

/** Returns the id of the current HTTP request; empty outside of a request. */
export function currentRequestId(): string {
  return store.getStore() ?? '';
}

const wellFormed = /^[\w-]{8,64}$/;

/** Returns a given request id when it is well-formed, otherwise an empty string. */
export function checkedRequestId(given: unknown): string {
  return typeof given === 'string' && wellFormed.test(given) ? given : '';
}
