import { expect, test } from 'vitest';
import { checkTestRunQuota, dayMs } from './test-run-quota.ts';

const now = Date.UTC(2026, 0, 2, 10, 30);
const limits = { maxTestRuns: 2, maxTestRunsADay: 3 };
const unused = { unfinished: 0, blockingStart: undefined };

test('allows a test run below both limits', () => {
  checkTestRunQuota(limits, unused, now);
  checkTestRunQuota(limits, { unfinished: 1, blockingStart: now - dayMs }, now);
  expect(dayMs).toBe(86_400_000);
});

test('refuses a test run if the user has as many unfinished ones as the limit', () => {
  expect(() => checkTestRunQuota(limits, { ...unused, unfinished: 2 }, now)).toThrow(
    expect.objectContaining({
      code: 'RESOURCE_EXHAUSTED',
      reason: 'too-many-test-runs',
      message: 'You already have 2 test runs that have not ended. Please wait for one to end.',
      retryAfterS: 15,
    }),
  );
  expect(() => checkTestRunQuota({ ...limits, maxTestRuns: 1 }, { ...unused, unfinished: 1 }, now)).toThrow(
    'You already have a test run that has not ended. Please wait for one to end.',
  );
});

test('says when the next test run can start, rounded up to the minute', () => {
  const blockingStart = now - dayMs + 90_001;
  expect(() => checkTestRunQuota(limits, { unfinished: 0, blockingStart }, now)).toThrow(
    expect.objectContaining({
      code: 'RESOURCE_EXHAUSTED',
      reason: 'too-many-test-runs-today',
      message: 'You have used all of your 3 test runs of 24 hours. The next one can start at 10:32 UTC on 2026-01-02.',
      retryAfterS: 91,
    }),
  );
  expect(() =>
    checkTestRunQuota({ ...limits, maxTestRunsADay: 1 }, { unfinished: 0, blockingStart: now }, now),
  ).toThrow('You have used your one test run of 24 hours. The next one can start at 10:30 UTC on 2026-01-03.');
});

test.each([{ maxTestRuns: 0 }, { maxTestRunsADay: 0 }])('allows no test run with a limit of 0: %j', (zero) => {
  expect(() => checkTestRunQuota({ ...limits, ...zero }, unused, now)).toThrow(
    expect.objectContaining({
      code: 'FAILED_PRECONDITION',
      reason: 'no-test-runs',
      message: 'The organisers allow you no test runs at present.',
    }),
  );
});
