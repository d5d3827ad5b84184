import { AsyncLocalStorage } from 'node:async_hooks';

const store = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it awaits, as part of the request with this id; gRPC calls made in it carry the id on. */
export function withRequestId<T>(id: string, work: () => T): T {
  return store.run(id, work);
}

/** The id of the HTTP request that this is part of; empty: of none. */
export function currentRequestId(): string {
  return store.getStore() ?? '';
}

const form = /^[\w-]{8,64}$/;

/** What a caller gave as an id, if it can be one; otherwise empty. */
export function checkedRequestId(given: unknown): string {
  return typeof given === 'string' && form.test(given) ? given : '';
}
