import { DomainError } from '@husky/runtime/rpc/errors';

export const dayMs = 24 * 3_600_000;

/** What a user has used of the limits on test runs. */
export interface TestRunUse {
  readonly unfinished: number;
  /** Start (ms since the epoch) of the test run whose 24 hours must pass before the next one; undefined: none. */
  readonly blockingStart: number | undefined;
}

interface Limits {
  readonly maxTestRuns: number;
  readonly maxTestRunsADay: number;
}

/** Throws if one more test run would exceed a limit. The message says when the next one can start. */
export function checkTestRunQuota({ maxTestRuns, maxTestRunsADay }: Limits, use: TestRunUse, now: number): void {
  if (maxTestRuns === 0) throw noTestRuns();
  if (use.unfinished >= maxTestRuns) {
    const runs = maxTestRuns === 1 ? 'a test run that has' : `${maxTestRuns} test runs that have`;
    const message = `You already have ${runs} not ended. Please wait for one to end.`;
    throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-test-runs', message, { retryAfterS: 15 });
  }
  if (maxTestRunsADay === 0) throw noTestRuns();
  const words = { used: 'used', noun: 'test run', next: 'start', reason: 'too-many-test-runs-today' };
  checkDay(words, { most: maxTestRunsADay, blockingStart: use.blockingStart }, now);
}

/** Throws if one more would exceed the limit of 24 hours. `blockingStart`: of the one whose 24 hours must pass before the next one. */
export function checkDay(
  { used, noun, next, reason }: Readonly<Record<'used' | 'noun' | 'next' | 'reason', string>>,
  { most, blockingStart }: { readonly most: number; readonly blockingStart: number | undefined },
  now: number,
): void {
  const nextStart = blockingStart === undefined ? now : blockingStart + dayMs;
  if (nextStart <= now) return;
  const all = most === 1 ? `your one ${noun}` : `all of your ${most} ${noun}s`;
  const message = `You have ${used} ${all} of 24 hours. The next one can ${next} ${minuteOf(nextStart)}.`;
  throw new DomainError('RESOURCE_EXHAUSTED', reason, message, { retryAfterS: Math.ceil((nextStart - now) / 1000) });
}

export const noTestRuns = () =>
  new DomainError('FAILED_PRECONDITION', 'no-test-runs', 'The organisers allow you no test runs at present.');

/** "at 14:05 UTC on 2026-11-22", rounded up to the minute. */
function minuteOf(ms: number): string {
  const text = new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
  return `at ${text.slice(11, 16)} UTC on ${text.slice(0, 10)}`;
}
