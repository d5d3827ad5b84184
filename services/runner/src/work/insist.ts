import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, type ErrorCode } from '@husky/runtime/errors';

const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'CANCELLED',
  'INTERNAL',
]);

/** True for an error that may be gone the next time; a refusal is not. */
export function isPassing(error: unknown): boolean {
  return error instanceof DomainError && passing.has(error.code);
}

const firstPauseMs = 100;
const longestPauseMs = 2000;

/** Tries until it works, is refused, or `signal` aborts: then throws the refusal or the signal's reason. */
export async function insist<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFailure?: (error: unknown) => void,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      onFailure?.(error);
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
