import { expect, it } from 'vitest';
import { describeSpread, median, parseProcessorTimes, quantile } from './machine.ts';

it('counts time that waits for disks as idle and stolen time as busy', () => {
  const stat = 'cpu  100 200 300 4000 50 6 7 80 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n';
  expect(parseProcessorTimes(stat)).toEqual({ busy: 6.93, idle: 40.5 });
});

it('computes quantiles of unsorted values, and no spread of a single value', () => {
  expect(quantile([3, 1, 2, 10], 0.95)).toBe(10);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([])).toBeNaN();
  expect(describeSpread([3, 1, 2], 0)).toBe('1 .. 3');
  expect(describeSpread([3])).toBe('');
});
