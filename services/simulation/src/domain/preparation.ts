import { DomainError } from '@husky/runtime/errors';

const firstBackoffMs = 2000;
const maxBackoffMs = 30_000;
/** Errors of submission that another try may mend; every other one is a fault of the bot. */
const transientCodes = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'CANCELLED']);

/**
 * Decides what follows on a failure to resolve packages: `refused` (the bot cannot be played), `retry`, or `timed-out` when
 * `elapsedMs` of tries have reached `limitMs`.
 */
export function preparationVerdict(
  error: unknown,
  elapsedMs: number,
  limitMs: number,
): 'refused' | 'retry' | 'timed-out' {
  if (error instanceof DomainError && !transientCodes.has(error.code)) return 'refused';
  return elapsedMs < limitMs ? 'retry' : 'timed-out';
}

/** Exponential backoff before the next try, in ms. `tries` is the number of failed tries. */
export function preparationBackoffMs(tries: number): number {
  return Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, tries - 1));
}
