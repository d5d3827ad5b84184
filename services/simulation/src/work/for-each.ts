import { isOutage } from '@husky/runtime/process/retry';

const maxFailures = 5;

export interface Outcome<T> {
  readonly done: T[];
  /** Items whose work has failed for a reason of their own. */
  readonly failed: { readonly item: T; readonly error: unknown }[];
  /** The error that ended the run: a service or the database is unavailable. Absent: none. */
  outage?: unknown;
}

/**
 * Runs `work` for each item, `atOnce` at the same time. Begins no further item after five failures or one transient error, since a
 * failing call may last until its deadline. Does not reject.
 */
export async function forEach<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<Outcome<T>> {
  const queue = [...items];
  const outcome: Outcome<T> = { done: [], failed: [] };
  const runNext = async () => {
    while (outcome.outage === undefined && outcome.failed.length < maxFailures) {
      const item = queue.shift();
      if (item === undefined) return;
      try {
        await work(item);
        outcome.done.push(item);
      } catch (error) {
        if (isOutage(error)) outcome.outage ??= error;
        else outcome.failed.push({ item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  return outcome;
}
