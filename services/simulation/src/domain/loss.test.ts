import { DomainError } from '@husky/runtime/rpc/errors';
import { expect, test } from 'vitest';
import {
  causeClause,
  limitToSeats,
  limitUsage,
  lossVerdict,
  preparationBackoffMs,
  preparationVerdict,
  unfetchable,
  usageText,
} from './loss.ts';

const usage = [{ seat: 2, cpuMs: 61_240, peakKib: 40_960, verdict: '' }];

test('gives up a job after three losses with bots running or ten other losses', () => {
  expect(lossVerdict({ suspectLosses: 2, otherLosses: 9 }, 'x', usage)).toBeUndefined();
  expect(lossVerdict({ suspectLosses: 3, otherLosses: 0 }, 'x', usage)).toBe(
    'The match was lost three times while its bots were running: x. Last seen: seat 3 used 61.2 s of CPU and 40 MiB.',
  );
  expect(lossVerdict({ suspectLosses: 0, otherLosses: 10 }, '', [])).toBe(
    'The match could not be started in 10 tries: the runner died.',
  );
});

test('shows the kind of a fault but not the text of the bot', () => {
  const usageWithText = [
    { seat: 0, cpuMs: 0, peakKib: 0, verdict: 'startup: the bot could not be started: KeyError: my secret' },
  ];
  const verdict = lossVerdict({ suspectLosses: 3, otherLosses: 0 }, 'x', usageWithText);
  expect(verdict).toContain('seat 1 used 0.0 s of CPU and 0 MiB (it could not be started).');
  expect(verdict).not.toContain('secret');
  expect(
    lossVerdict(
      { suspectLosses: 3, otherLosses: 0 },
      'x',
      usage.map((one) => ({ ...one, verdict: 'my own verdict' })),
    ),
  ).not.toContain('own');
});

test('shortens a cause to one line of at most 500 characters without a full stop', () => {
  expect(causeClause(' out of\nmemory. ')).toBe('out of memory');
  expect(causeClause('x'.repeat(1000))).toHaveLength(500);
  expect(causeClause('a\tb c ... ')).toBe('a b c');
  expect(causeClause('version 1.2 failed')).toBe('version 1.2 failed');
  expect(causeClause(`${' '.repeat(400)}${'x'.repeat(16 << 20)}`)).toBe('x'.repeat(500));
});

test('limits the lists of a runner to six entries, one for each seat, with short verdicts', () => {
  const list = Array.from({ length: 1000 }, (_, seat) => ({ seat, cpuMs: 1, peakKib: 2, verdict: 'x'.repeat(1000) }));
  expect(limitToSeats(list)).toEqual(list.slice(0, 6));
  expect(limitToSeats([{ seat: 1 }, { seat: 0 }, { seat: 1 }])).toEqual([{ seat: 1 }, { seat: 0 }]);
  expect(limitUsage(list)).toEqual(list.slice(0, 6).map((one) => ({ ...one, verdict: 'x'.repeat(500) })));
});

test('counts losses with and without running bots separately', () => {
  expect(lossVerdict({ suspectLosses: 2, otherLosses: 9 }, '', [])).toBeUndefined();
  expect(lossVerdict({ suspectLosses: 4, otherLosses: 0 }, '', [])).toBe(
    'The match was lost three times while its bots were running: the runner died.',
  );
  expect(lossVerdict({ suspectLosses: 0, otherLosses: 11 }, 'no memory', [])).toBe(
    'The match could not be started in 10 tries: no memory.',
  );
});

test('lists the usage of each seat, numbered from 1', () => {
  expect(usageText([])).toBe('');
  expect(
    usageText([
      { seat: 0, cpuMs: 3140, peakKib: 41 * 1024, verdict: 'memory' },
      { seat: 5, cpuMs: 0, peakKib: 511, verdict: '' },
    ]),
  ).toBe(
    ' Last seen: seat 1 used 3.1 s of CPU and 41 MiB (it went over its memory limit); seat 6 used 0.0 s of CPU and 0 MiB.',
  );
});

test('gives up fetching the packages of a seat after three failed tries', () => {
  expect(unfetchable(0, '')).toBe('');
  expect(unfetchable(2, 'disk full')).toBe('');
  expect(unfetchable(3, 'disk full')).toBe('its packages could not be brought to a runner in 3 tries: disk full');
  expect(unfetchable(4, '')).toBe('its packages could not be brought to a runner in 3 tries: no cause was given');
});

test.each([
  [
    "ENOTEMPTY: directory not empty, rmdir '/srv/husky/.data/runners/runner-1/run/packages/.incoming-ab12'",
    "ENOTEMPTY: directory not empty, rmdir '…'",
  ],
  ['the seat host cannot be reached: connect ENOENT /run/husky/host.sock', 'connect ENOENT …'],
  ['it holds a path of more than 20 levels: d/d/d/x', 'more than 20 levels: d/d/d/x'],
  ['and/or 1/2 of https://example.org/a/b', 'and/or 1/2 of https://example.org/a/b'],
])('keeps paths of a runner from participants: %s', (cause, shown) => {
  expect(causeClause(cause)).toContain(shown);
  expect(causeClause(cause)).not.toMatch(/\/(srv|run)\//);
});

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
