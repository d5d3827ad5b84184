import { expect, test } from 'vitest';
import { isNoContest, jobKinds, profile, queueCost, seatPlan, startingStack, tableSize } from './job.ts';

test('plans no packages for a bot without requirements and unknown ones for every other bot', () => {
  const pin = { userId: 'ann', botHash: 'b', requirementsHash: 'r', nonce: 'n' };
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(seatPlan(pin)).toEqual({ userId: 'ann', botHash: 'b', packagesHash: null, nonce: 'n' });
  expect(seatPlan({ ...pin, requirementsHash: empty })).toEqual({
    userId: 'ann',
    botHash: 'b',
    packagesHash: '',
    nonce: 'n',
  });
});

test('computes the cost of a job as its hands plus a hundred', () => {
  expect([10, 1000].map(queueCost)).toEqual([110, 1100]);
});

test('keeps the constants on which commitments and stored hands depend', () => {
  expect({ startingStack, profile, tableSize, jobKinds }).toEqual({
    startingStack: 10_000,
    profile: 'documented',
    tableSize: 6,
    jobKinds: ['TEST_RUN', 'MATCH', 'BATCH_MATCH'],
  });
});

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
