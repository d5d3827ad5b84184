import { expect, test } from 'vitest';
import { findProgram, parseCpuList } from './create-fleet.ts';

test('parses ranges and single cores', () => {
  expect(parseCpuList('0-2,5,7-8\n')).toEqual([0, 1, 2, 5, 7, 8]);
  expect(parseCpuList('')).toEqual([]);
});

test('finds a program in PATH, or returns undefined', () => {
  expect(findProgram('sh', '/nonexistent:/bin')).toBe('/bin/sh');
  expect(findProgram('no-such-program', '/bin')).toBeUndefined();
});
