import { expect, test } from 'vitest';
import { choose, combinationAt } from './combinations.ts';

test('counts combinations', () => {
  expect(choose(6, 6)).toBe(1);
  expect(choose(13, 6)).toBe(1716);
  expect(choose(20, 6)).toBe(38_760);
  expect(choose(5, 6)).toBe(0);
  expect(choose(5, -1)).toBe(0);
  expect(choose(5, 0)).toBe(1);
  expect(choose(5, 5)).toBe(1);
});

test('numbers every combination once, in lexicographic order', () => {
  const all = Array.from({ length: choose(8, 6) }, (_, rank) => combinationAt(rank, 8, 6).join(' '));
  expect(new Set(all).size).toBe(28);
  expect([...all].sort()).toEqual(all);
  expect(all[0]).toBe('0 1 2 3 4 5');
  expect(all.at(-1)).toBe('2 3 4 5 6 7');
  expect(combinationAt(38_759, 20, 6)).toEqual([14, 15, 16, 17, 18, 19]);
  for (const rank of [28, -1, 0.5]) expect(() => combinationAt(rank, 8, 6)).toThrow(`no combination ${rank}`);
});
