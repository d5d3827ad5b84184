import { DomainError } from '@husky/runtime/rpc/errors';
import { expect, test } from 'vitest';
import { preparationBackoffMs, preparationVerdict } from './preparation.ts';

test.each(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL', 'CANCELLED'] as const)(
  'retries %s until the time limit',
  (code) => {
    const error = new DomainError(code, 'reason', 'message');
    expect(preparationVerdict(error, 0, 1000)).toBe('retry');
    expect(preparationVerdict(error, 999, 1000)).toBe('retry');
    expect(preparationVerdict(error, 1000, 1000)).toBe('timed-out');
  },
);

test('treats a refusal of the bot as final, but retries an unknown error', () => {
  const refusal = new DomainError('FAILED_PRECONDITION', 'package-unresolvable', 'There is no such package.');
  expect(preparationVerdict(refusal, 0, 1000)).toBe('refused');
  expect(preparationVerdict(new Error('unknown'), 0, 1000)).toBe('retry');
  expect(preparationVerdict(new Error('unknown'), 1000, 1000)).toBe('timed-out');
});

test('doubles the backoff from 2 s to at most 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 100].map(preparationBackoffMs)).toEqual([
    2000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
});
