import { expect, it } from 'vitest';
import { addFigures } from './bench-run.ts';
import { parseProcessorTimes } from './machine.ts';
import { describeSpread, median, quantile } from './spread.ts';

const markdown = '# Performance\n\nText.\n\n## First\n\nOld.\n\n## Second\n\nOther.\n';

it('records figures at the end of their section', () => {
  expect(addFigures(markdown, 'First', '### Today\n\nNew.\n')).toBe(
    '# Performance\n\nText.\n\n## First\n\nOld.\n\n### Today\n\nNew.\n\n## Second\n\nOther.\n',
  );
  expect(addFigures(markdown, 'Second', 'New.')).toBe(`${markdown}\nNew.\n`);
});

it('adds a section that does not exist', () => {
  expect(addFigures(markdown, 'Third', 'New.')).toBe(`${markdown}\n## Third\n\nNew.\n`);
});

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
