import { AsyncLocalStorage } from 'node:async_hooks';

interface CallContext {
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the work has ended. Calls of background work that it started are then not bound by its limits. */
  ended: boolean;
}

const store = new AsyncLocalStorage<CallContext | undefined>();

/**
 * Runs `work` so that the gRPC calls made in it end no later than `deadlineMs`, and are cancelled with `signal` (AsyncLocalStorage).
 * Pass a signal for reads only: a write must be completed once it has begun. Calls made after the end of `work` are not bound.
 */
export async function withinCall<T>(
  limits: { readonly deadlineMs?: number; readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const entry: CallContext = { deadlineMs: limits.deadlineMs ?? Infinity, signal: limits.signal, ended: false };
  try {
    return await store.run(entry, work);
  } finally {
    entry.ended = true;
  }
}

/** Runs `work`, whose result several callers share, without the limits of the call that happens to start it. */
export function outsideOfCall<T>(work: () => T): T {
  return store.run(undefined, work);
}

/** Returns the limits of the current call; Infinity and undefined outside of one. */
export function currentLimits(): { readonly deadlineMs: number; readonly signal: AbortSignal | undefined } {
  const entry = store.getStore();
  if (entry === undefined || entry.ended) return { deadlineMs: Infinity, signal: undefined };
  return entry;
}
