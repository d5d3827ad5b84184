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
  const nextStart = use.blockingStart === undefined ? now : use.blockingStart + dayMs;
  if (nextStart <= now) return;
  const runs = maxTestRunsADay === 1 ? 'your one test run' : `all of your ${maxTestRunsADay} test runs`;
  const message = `You have used ${runs} of 24 hours. The next one can start ${minuteOf(nextStart)}.`;
  const retryAfterS = Math.ceil((nextStart - now) / 1000);
  throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-test-runs-today', message, { retryAfterS });
}

export const noTestRuns = () =>
  new DomainError('FAILED_PRECONDITION', 'no-test-runs', 'The organisers allow you no test runs at present.');

/** "at 14:05 UTC on 2026-11-22", rounded up to the minute. */
export function minuteOf(ms: number): string {
  const text = new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
  return `at ${text.slice(11, 16)} UTC on ${text.slice(0, 10)}`;
}
