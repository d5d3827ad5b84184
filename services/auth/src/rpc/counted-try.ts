import { DomainError } from '@husky/runtime/errors';
import type { AuthContext } from '../context.ts';
import type { AttemptKey } from '../domain/back-off.ts';
import { countAttempt, takeBack } from '../store/attempts.ts';

/** Counts a try of a password and makes it. One that nobody could check, as the accounts cannot be reached, does not count. */
export async function countedTry<T>(
  context: AuthContext,
  keys: readonly AttemptKey[],
  check: () => Promise<T>,
): Promise<T> {
  const countedAt = context.now();
  await context.transaction((tx) => countAttempt(tx, keys, countedAt));
  try {
    return await check();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAVAILABLE') {
      await context.transaction((tx) => takeBack(tx, keys, countedAt));
    }
    throw error;
  }
}
