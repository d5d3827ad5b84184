import { AsyncLocalStorage } from 'node:async_hooks';

/** What bounds the work of a call. */
export interface CallLimits {
  /** Milliseconds since the epoch; Infinity: none. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the call is made for a visitor, so that it comes after the work of runners and services. */
  readonly visitor: boolean;
}

interface CallContext extends CallLimits {
  /** Connections to the database that the work holds (fair-pool.ts). */
  connections: number;
  /** Whether the work has ended. Calls of background work that it started are then not bound by its limits. */
  ended: boolean;
}

const store = new AsyncLocalStorage<CallContext>();
const unlimited: CallLimits = { deadlineMs: Infinity, signal: undefined, visitor: false };

/**
 * Runs `work` so that the gRPC calls made in it end no later than `deadlineMs`, its statements wait no longer for a connection to the
 * database (fair-pool.ts), and both are cancelled with `signal` (AsyncLocalStorage). Pass a signal for reads only: a write must be
 * completed once it has begun. Calls made after the end of `work` are not bound.
 */
export async function withinCall<T>(
  { deadlineMs = Infinity, signal, visitor = false }: Partial<CallLimits>,
  work: () => Promise<T>,
): Promise<T> {
  const entry: CallContext = { deadlineMs, signal, visitor, connections: 0, ended: false };
  try {
    // Awaited within: a promise of Prisma starts its statement when it is awaited.
    return await store.run(entry, async () => await work());
  } finally {
    entry.ended = true;
  }
}

/** Runs `work`, whose result several callers share, without deadline and cancellation of the call that happens to start it. */
export function outsideOfCall<T>(work: () => T): T {
  const { visitor } = currentLimits();
  return store.run({ ...unlimited, visitor, connections: 0, ended: false }, work);
}

/** Returns the limits of the current call; none outside of one. */
export function currentLimits(): CallLimits {
  const entry = store.getStore();
  return entry === undefined || entry.ended ? unlimited : entry;
}

/** The current work, also after its end, to count its connections; undefined outside of a call. */
export const currentWork = (): { connections: number } | undefined => store.getStore();
