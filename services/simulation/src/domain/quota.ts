import { DomainError } from '@husky/runtime/errors';

/** What a user may. */
export interface Quota {
  /** Test runs that have not ended. */
  readonly maxTestRuns: number;
  /** Test runs started within 24 hours. */
  readonly maxTestRunsADay: number;
  /** Submissions kept. */
  readonly maxSubmissions: number;
  /** Uploads within 24 hours. */
  readonly maxUploadsADay: number;
}

/** What somebody has set of it; the rest is as it is elsewhere. */
export type OwnQuota = { readonly [K in keyof Quota]?: number | undefined };

export const quotaFields = ['maxTestRuns', 'maxTestRunsADay', 'maxSubmissions', 'maxUploadsADay'] as const;
const dayMs = 24 * 3_600_000;

const bounds: Readonly<Record<keyof Quota, { readonly most: number; readonly what: string }>> = {
  maxTestRuns: { most: 100, what: 'unfinished test runs' },
  maxTestRunsADay: { most: 10_000, what: 'test runs a day' },
  maxSubmissions: { most: 100, what: 'submissions' },
  maxUploadsADay: { most: 10_000, what: 'uploads a day' },
};

/** The same, or INVALID_ARGUMENT. Of one user a quota may be 0, which stops them; of the event it may not. */
export function checkQuota(quota: OwnQuota, least: 0 | 1): OwnQuota {
  for (const field of quotaFields) {
    const value = quota[field];
    const { most, what } = bounds[field];
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue;
    const message = `The number of ${what} is between ${least} and ${most.toLocaleString('en-US')}.`;
    throw new DomainError('INVALID_ARGUMENT', 'quota-invalid', message);
  }
  return quota;
}

/** Refuses one more test run while as many as allowed have not ended. */
export function refuseUnfinished(limit: number, unfinished: number): void {
  if (unfinished < limit) return;
  if (limit === 0) throw noTestRuns();
  const runs = limit === 1 ? 'a test run that has' : `${limit} test runs that have`;
  const message = `You already have ${runs} not ended. Please wait for one to end.`;
  throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-test-runs', message, { retryAfterS: 15 });
}

/** Refuses one more test run while the one that stands in its way, the `limit`-th from the last, is not a day old. */
export function refuseToday(limit: number, inTheWay: number | undefined, now: number): void {
  if (limit === 0) throw noTestRuns();
  if (inTheWay === undefined || inTheWay + dayMs <= now) return;
  const runs = limit === 1 ? 'your one test run' : `all of your ${limit} test runs`;
  const message = `You have used ${runs} of 24 hours. The next one can start ${timeInWords(inTheWay + dayMs)}.`;
  const retryAfterS = Math.ceil((inTheWay + dayMs - now) / 1000);
  throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-test-runs-today', message, { retryAfterS });
}

const noTestRuns = () =>
  new DomainError('FAILED_PRECONDITION', 'no-test-runs', 'The organisers allow you no test runs at present.');

/** "at 14:05 UTC on 2026-11-22", rounded up to the minute. */
export function timeInWords(ms: number): string {
  const text = new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
  return `at ${text.slice(11, 16)} UTC on ${text.slice(0, 10)}`;
}
