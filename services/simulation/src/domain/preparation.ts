import { DomainError } from '@husky/runtime/rpc/errors';

const firstBackoffMs = 2000;
const maxBackoffMs = 30_000;
/** Transient errors of submission, which are retried. Every other error is caused by the bot. */
const transientCodes = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'CANCELLED']);

/**
 * Classifies a failure to resolve packages: `refused` (the bot cannot be played), `retry`, or `timed-out` if `elapsedMs` since
 * the first failure has reached `limitMs`.
 */
export function preparationVerdict(
  error: unknown,
  elapsedMs: number,
  limitMs: number,
): 'refused' | 'retry' | 'timed-out' {
  if (error instanceof DomainError && !transientCodes.has(error.code)) return 'refused';
  return elapsedMs < limitMs ? 'retry' : 'timed-out';
}

/** Returns for how long tries have been failing, in ms. `since`: time of the first failure; null: this is the first. */
export const failingMs = (since: Date | null, now: number): number => (since === null ? 0 : now - since.getTime());

/** Returns the exponential backoff before the next try, in ms. `tries`: number of failed tries. */
export function preparationBackoffMs(tries: number): number {
  return Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, tries - 1));
}
