import { AsyncLocalStorage } from 'node:async_hooks';

/** Names a call that creates something, so that its client may repeat it (docs/rest-api.md, rule 11). Hashes, base64url. */
export interface RequestKey {
  /** Over caller, call and Idempotency-Key. */
  readonly key: string;
  /** Over what is to be created. */
  readonly digest: string;
}

const store = new AsyncLocalStorage<RequestKey | undefined>();

/** Runs `work` as the call with this key (AsyncLocalStorage). gRPC calls made in it on behalf of a user propagate the key. */
export function withRequestKey<T>(key: RequestKey | undefined, work: () => T): T {
  return store.run(key, work);
}

export const currentRequestKey = (): RequestKey | undefined => store.getStore();

/** Formats a key for the metadata of a call. */
export const requestKeyText = ({ key, digest }: RequestKey): string => `${key}.${digest}`;

/** Parses a key of a call's metadata; undefined: none, or malformed. */
export function parseRequestKey(given: unknown): RequestKey | undefined {
  const [, key, digest] = /^([\w-]{43})\.([\w-]{43})$/.exec(String(given)) ?? [];
  return key === undefined || digest === undefined ? undefined : { key, digest };
}
