import { expect, test } from 'vitest';
import { findProgram, parseCpuList } from './processors.ts';

test('a list of cores has ranges and single cores', () => {
  expect(parseCpuList('0-2,5,7-8\n')).toEqual([0, 1, 2, 5, 7, 8]);
  expect(parseCpuList('')).toEqual([]);
});

test('a program is found along the path, or not at all', () => {
  expect(findProgram('sh', '/nonexistent:/bin')).toBe('/bin/sh');
  expect(findProgram('no-such-program', '/bin')).toBeUndefined();
});
