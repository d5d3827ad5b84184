import { expect, test } from 'vitest';
import { isNoContest } from './no-contest.ts';

const seats = (...started: boolean[]) => started.map((one) => ({ neverStarted: !one }));

test('a match is no contest when fewer than two of its bots started', () => {
  expect(isNoContest(seats(true, false))).toBe(true);
  expect(isNoContest(seats(false, false, false))).toBe(true);
  expect(isNoContest(seats(true, true, false))).toBe(false);
  expect(isNoContest(seats(true, true))).toBe(false);
});

test('a match without known faults, or with one seat, counts', () => {
  expect(isNoContest([])).toBe(false);
  expect(isNoContest(seats(false))).toBe(false);
});
