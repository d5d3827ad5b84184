import { expect, test } from 'vitest';
import { jobKinds, profile, queueCost, seatPlan, startingStack, tableSize } from './job.ts';

test('a bot without requirements needs no packages; those of every other bot are unknown', () => {
  const pin = { userId: 'ann', botHash: 'b', requirementsHash: 'r' };
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(seatPlan(pin)).toEqual({ userId: 'ann', botHash: 'b', packagesHash: null });
  expect(seatPlan({ ...pin, requirementsHash: empty })).toEqual({ userId: 'ann', botHash: 'b', packagesHash: '' });
});

test('a job costs its hands and a hundred for its start', () => {
  expect([10, 1000].map(queueCost)).toEqual([110, 1100]);
});

test('facts of every match that commitments and stored hands depend on', () => {
  expect({ startingStack, profile, tableSize, jobKinds }).toEqual({
    startingStack: 10_000,
    profile: 'documented',
    tableSize: 6,
    jobKinds: ['TEST_RUN', 'MATCH', 'BATCH_MATCH'],
  });
});
