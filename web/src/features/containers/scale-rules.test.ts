import { expect, it } from 'vitest';
import { readTargetSize } from './scale-rules.ts';

it('takes whole sizes of at least 3 only', () => {
  expect(['3', '12'].map(readTargetSize)).toEqual([3, 12]);
  expect(['2', '-1', '3.5', '', ' ', 'x', 'Infinity'].map(readTargetSize)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
