import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, type ErrorCode, messageOf } from '../rpc/errors.ts';

const transientCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'CANCELLED',
  'INTERNAL',
]);

// PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html): serialization_failure, deadlock_detected,
// read_only_sql_transaction (the server is a standby after a failover), disk_full, out_of_memory, too_many_connections, admin_shutdown,
// crash_shutdown, cannot_connect_now, connection exceptions. Prisma
// (https://www.prisma.io/docs/orm/reference/error-reference): server not reached, timed out or closed the connection,
// no connection or transaction available in time.
const transientDatabaseCodes: ReadonlySet<string> = new Set([
  '25006',
  '40001',
  '40P01',
  '53100',
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);
/** The last two are of name resolution: in a cluster a name has no address while none of its pods is ready. */
const transientSocketCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** This machine or control group has no memory, file descriptor or process left: a program cannot be started, a file not opened. */
const transientResourceCodes: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** Errors of NATS without a code: the connection is lost, or nobody responds. */
const transientNatsErrors: ReadonlySet<string> = new Set([
  'ClosedConnectionError',
  'ConnectionError',
  'DrainingConnectionError',
  'NoRespondersError',
  'RequestError',
  'TimeoutError',
]);

/**
 * Returns whether the same call may succeed later: the service, database, network or machine is unavailable or overloaded. False
 * for refusals and unknown errors.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DomainError) return transientCodes.has(error.code);
  if (!(error instanceof Error)) return false;
  if (transientNatsErrors.has(error.name)) return true;
  const known = [transientDatabaseCodes, transientSocketCodes, transientResourceCodes];
  if (codesOf(error).some((code) => known.some((codes) => codes.has(code)))) return true;
  return messagesWithoutCode.some((text) => error.message.includes(text));
}

/** Returns whether a statement was cancelled (query_canceled): its call is over, or it reached its statement_timeout. */
export function isCancelledStatement(error: unknown): boolean {
  return error instanceof Error && codesOf(error).includes('57014');
}

/** Returns whether a service reported an unknown error: probably a defect, which repeating the call does not mend. */
export function isInternal(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'INTERNAL';
}

/** Returns whether a service or the database is unavailable: another call would probably fail as well. */
export const isOutage = (error: unknown): boolean => isTransient(error) && !isInternal(error);

/**
 * Messages of pg's errors without a code: the pool has no connection in time, the server does not respond while connecting, the
 * connection has ended during or before the query.
 */
const messagesWithoutCode = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
];

/** Returns the codes of an error. Prisma's errors have PostgreSQL's code in what its driver adapter reports. */
function codesOf(error: Error): string[] {
  const { code, meta } = error as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { code?: unknown; originalCode?: unknown } } };
  };
  const cause = meta?.driverAdapterError?.cause;
  return [code, cause?.code, cause?.originalCode].filter((one) => typeof one === 'string');
}

const maxRetryAfterMs = 30_000;

/** Limits retries to a share of the calls, so that they do not multiply the load on a service that is already overloaded. */
export interface RetryBudget {
  /** Counts a first attempt. */
  earn(): void;
  /** Takes the token of one retry. Returns false when none is left. */
  take(): boolean;
}

/** Creates a token bucket: each call adds `share` of a retry, up to `reserve` retries, with which it starts. */
export function createRetryBudget({ share = 0.1, reserve = 10 } = {}): RetryBudget {
  let tokens = reserve;
  return {
    earn() {
      tokens = Math.min(reserve, tokens + share);
    },
    take() {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}

/** Of all calls of this process without a budget of their own. */
const sharedBudget = createRetryBudget();

export interface RetryOptions {
  /** Stops the retries; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Pause after the first failure; doubled after each further one. Each pause is shortened by up to a half at random. Default 100 ms. */
  readonly firstPauseMs?: number;
  /** Longest pause; default 2 s. */
  readonly maxPauseMs?: number;
  /** Time after which the last error is thrown; default: none. */
  readonly maxMs?: number;
  /** Time for which an uninterrupted series of INTERNAL errors is retried; default `maxMs`, without that none. Not used with `retryIf`. */
  readonly maxInternalMs?: number;
  /** Whether to retry after this error; default `isTransient`. */
  readonly retryIf?: (error: unknown) => boolean;
  /** Limits the retries of all calls that share it. Default: one of the process, for calls without `signal` and `maxMs`. */
  readonly budget?: RetryBudget;
  /** Called before each pause, with the number of failures so far. */
  readonly onFailure?: (error: unknown, failures: number) => void;
  /** Called before a pause with the error's message, unless the previous failure had the same message. */
  readonly onNewCause?: (cause: string, error: unknown) => void;
}

/**
 * Runs `work` until it succeeds, with exponential backoff between the attempts, and waits at least the `retryAfterS` of an error (at
 * most 30 s). Throws an error that `retryIf` refuses, the last one after `maxMs` or without a token left in the budget, or the reason
 * of `signal`. `work` must be idempotent. Every call has a budget: time (`maxMs`, or a lease or shutdown as `signal`) or tokens.
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { signal, firstPauseMs = 100, maxPauseMs = 2000, maxMs = Infinity, maxInternalMs, retryIf } = options;
  const budget = options.budget ?? (signal === undefined && maxMs === Infinity ? sharedBudget : undefined);
  const mayRetry = retryIf ?? transientFor(maxInternalMs ?? (maxMs === Infinity ? 0 : maxMs));
  const until = performance.now() + maxMs;
  let pauseMs = Math.min(firstPauseMs, maxPauseMs);
  let known = '';
  budget?.earn();
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    let error: unknown;
    try {
      return await work();
    } catch (failure) {
      error = failure;
      signal?.throwIfAborted();
      if (!mayRetry(error) || performance.now() >= until || budget?.take() === false) throw error;
      options.onFailure?.(error, failures);
      const cause = messageOf(error) || String(error);
      if (cause !== known) options.onNewCause?.(cause, error);
      known = cause;
    }
    // Callers that failed at the same time must not all return at the same time.
    const jitteredMs = pauseMs * (1 - Math.random() / 2);
    const retryAfterMs = error instanceof DomainError ? Math.min(1000 * (error.retryAfterS ?? 0), maxRetryAfterMs) : 0;
    await pause(Math.max(jitteredMs, retryAfterMs), undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
  }
}

/** Returns `isTransient`, except that INTERNAL is transient only for `maxInternalMs` after the first of a series. */
function transientFor(maxInternalMs: number): (error: unknown) => boolean {
  let internalSinceMs: number | undefined;
  return (error) => {
    internalSinceMs = isInternal(error) ? (internalSinceMs ?? performance.now()) : undefined;
    if (internalSinceMs !== undefined && performance.now() - internalSinceMs >= maxInternalMs) return false;
    return isTransient(error);
  };
}
