import { expect, test } from 'vitest';
import { rangeOf } from '../src/routes/exports/range.ts';

test.each([
  ['', 0, 100, false],
  ['bytes=0-', 0, 100, true],
  ['bytes=10-19', 10, 10, true],
  ['bytes=90-200', 90, 10, true],
  ['bytes=-30', 70, 30, true],
  ['bytes=-300', 0, 100, true],
  ['bytes=20-10', 0, 100, false],
  ['bytes=0-1,5-6', 0, 100, false],
  ['hands=1-2', 0, 100, false],
])('reads the range "%s" of 100 bytes', (header, offset, length, partial) => {
  expect(rangeOf(header, 100)).toEqual({ offset, length, partial });
});

test.each(['bytes=100-', 'bytes=100-120', 'bytes=-0'])('refuses the range %s of 100 bytes', (header) => {
  expect(() => rangeOf(header, 100)).toThrow('The file has 100 bytes.');
});
