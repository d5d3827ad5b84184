import { expect, test } from 'vitest';
import { causeClause, lossVerdict } from './loss.ts';

const usage = [{ seat: 2, cpuMs: 61_240, peakKib: 40_960, verdict: '' }];

test('gives a job up after three losses with bots running, in words', () => {
  expect(lossVerdict({ suspectLosses: 2, otherLosses: 9 }, 'x', usage)).toBeUndefined();
  expect(lossVerdict({ suspectLosses: 3, otherLosses: 0 }, 'x', usage)).toBe(
    'The match was lost three times while its bots were running: x. Last seen: seat 3 used 61.2 s of CPU and 40 MiB.',
  );
  expect(lossVerdict({ suspectLosses: 0, otherLosses: 10 }, '', [])).toBe(
    'The match could not be started in 10 tries: the runner died.',
  );
});

test('says how a bot failed, never in its own words', () => {
  const told = [
    { seat: 0, cpuMs: 0, peakKib: 0, verdict: 'startup: the bot could not be started: KeyError: my secret' },
  ];
  const verdict = lossVerdict({ suspectLosses: 3, otherLosses: 0 }, 'x', told);
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

test('a cause is one bounded line', () => {
  expect(causeClause(' out of\nmemory. ')).toBe('out of memory');
  expect(causeClause('x'.repeat(1000))).toHaveLength(500);
});
