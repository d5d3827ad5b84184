import { expect, test } from 'vitest';
import { isNoContest } from './no-contest.ts';

const seats = (...started: boolean[]) => started.map((one) => ({ neverStarted: !one }));

test('reports no contest if fewer than two bots started', () => {
  expect(isNoContest(seats(true, false))).toBe(true);
  expect(isNoContest(seats(false, false, false))).toBe(true);
  expect(isNoContest(seats(true, true, false))).toBe(false);
  expect(isNoContest(seats(true, true))).toBe(false);
});

test('reports a contest for a match without known faults or with one seat', () => {
  expect(isNoContest([])).toBe(false);
  expect(isNoContest(seats(false))).toBe(false);
});
