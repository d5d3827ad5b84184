import { expect, test } from 'vitest';
import { auditedQuota, checkQuota, quotaOf } from './quota.ts';
import { checkBanner, checkTag, checkTime } from './settings.ts';

test('accepts 0 as a limit of a user but not of the event', () => {
  expect(checkQuota({ maxTestRuns: 0 }, 0)).toEqual({ maxTestRuns: 0 });
  expect(
    checkQuota({ maxTestRuns: 100, maxTestRunsADay: 10_000, maxSubmissions: 100, maxUploadsADay: 10_000 }, 1),
  ).toEqual({
    maxTestRuns: 100,
    maxTestRunsADay: 10_000,
    maxSubmissions: 100,
    maxUploadsADay: 10_000,
  });
  expect(() => checkQuota({ maxTestRuns: 0 }, 1)).toThrow('The number of unfinished test runs is between 1 and 100.');
});

test.each([
  [{ maxTestRuns: 101 }, 'The number of unfinished test runs is between 0 and 100.'],
  [{ maxTestRunsADay: 10_001 }, 'The number of test runs a day is between 0 and 10,000.'],
  [{ maxSubmissions: -1 }, 'The number of submissions is between 0 and 100.'],
  [{ maxUploadsADay: 1.5 }, 'The number of uploads a day is between 0 and 10,000.'],
])('refuses the quota %j', (quota, message) => {
  expect(() => checkQuota(quota, 0)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'quota-invalid', message }),
  );
});

test('omits unset limits in a quota and shows them as null in audit records', () => {
  expect(quotaOf({ maxTestRuns: 0, maxSubmissions: null, maxUploadsADay: undefined })).toEqual({ maxTestRuns: 0 });
  expect(auditedQuota({ maxTestRuns: 0 })).toEqual({
    max_test_runs: 0,
    max_test_runs_a_day: null,
    max_submissions: null,
    max_uploads_a_day: null,
    max_challenges_a_day: null,
    max_trial_hands_a_day: null,
  });
});

test('trims a banner and accepts at most 500 characters with line breaks', () => {
  expect(checkBanner('  two\nlines ')).toBe('two\nlines');
  expect(checkBanner('')).toBe('');
  expect(checkBanner('🃏'.repeat(500))).toHaveLength(1000);
  for (const text of ['x'.repeat(501), 'a\u0000b']) {
    expect(() => checkBanner(text)).toThrow(expect.objectContaining({ reason: 'banner-invalid' }));
  }
});

test('accepts a tag of at most 64 characters without control characters', () => {
  expect(checkTag(' 2025 ')).toBe('2025');
  expect(checkTag('x'.repeat(64))).toHaveLength(64);
  expect(checkTag('  ')).toBe('');
  for (const text of ['x'.repeat(65), 'a\nb']) {
    expect(() => checkTag(text)).toThrow(expect.objectContaining({ reason: 'home-board-invalid' }));
  }
});

test('accepts a time only with a zone', () => {
  expect(checkTime('2025-07-12T00:00:00-07:00')).toEqual(new Date('2025-07-12T07:00:00Z'));
  expect(checkTime('2025-07-12T07:00:00Z')).toEqual(new Date('2025-07-12T07:00:00Z'));
  for (const text of ['2025-07-12T00:00:00', 'tomorrow Z', '']) {
    expect(() => checkTime(text)).toThrow(expect.objectContaining({ reason: 'time-invalid' }));
  }
});
