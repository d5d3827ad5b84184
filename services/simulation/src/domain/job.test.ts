import { expect, test } from 'vitest';
import {
  chooseClass,
  isNoContest,
  profile,
  type QueueClass,
  queueClasses,
  queueCost,
  seatPlan,
  startingStack,
  tableSize,
} from './job.ts';

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
  expect({ startingStack, profile, tableSize, queueClasses }).toEqual({
    startingStack: 10_000,
    profile: 'documented',
    tableSize: 6,
    queueClasses: ['TEST_RUN', 'MATCH', 'BATCH_MATCH'],
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

const weights = { TEST_RUN: 5, MATCH: 3, BATCH_MATCH: 2 } as const;

test('shares work by weight, independently of the cost of a job', () => {
  const pass = new Map<QueueClass, number>([
    ['TEST_RUN', 0],
    ['MATCH', 0],
    ['BATCH_MATCH', 0],
  ]);
  const cost = { TEST_RUN: 110, MATCH: 1100, BATCH_MATCH: 1100 };
  const work = { TEST_RUN: 0, MATCH: 0, BATCH_MATCH: 0 };
  let clock = 0;
  for (let n = 0; n < 20_000; n++) {
    const choice = chooseClass(
      [...pass].map(([kind, value]) => ({ kind, pass: value })),
      clock,
      weights,
    );
    if (!choice) throw new Error('nothing chosen');
    clock = choice.clock;
    pass.set(choice.kind, choice.passAfter(cost[choice.kind]));
    work[choice.kind] += cost[choice.kind];
  }
  const total = work.TEST_RUN + work.MATCH + work.BATCH_MATCH;
  expect(work.TEST_RUN / total).toBeCloseTo(0.5, 2);
  expect(work.MATCH / total).toBeCloseTo(0.3, 2);
});

test('chooses nothing if no class waits, and among equals test runs before matches before batches', () => {
  expect(chooseClass([], 5, weights)).toBeUndefined();
  const equal = [
    { kind: 'MATCH', pass: 1 },
    { kind: 'TEST_RUN', pass: 2 },
  ] as const;
  expect(chooseClass(equal, 7, weights)).toMatchObject({ kind: 'TEST_RUN', clock: 7 });
  const kinds = ['BATCH_MATCH', 'MATCH', 'TEST_RUN'] as const;
  const first = (among: readonly QueueClass[]) =>
    chooseClass(
      among.map((kind) => ({ kind, pass: 3 })),
      3,
      weights,
    )?.kind;
  expect(first(kinds)).toBe('TEST_RUN');
  expect(first(kinds.slice(0, 2))).toBe('MATCH');
});

test('serves the class with the least virtual time and advances it by cost divided by weight', () => {
  const choice = chooseClass(
    [
      { kind: 'TEST_RUN', pass: 20 },
      { kind: 'BATCH_MATCH', pass: 12 },
    ],
    7,
    weights,
  );
  expect(choice).toMatchObject({ kind: 'BATCH_MATCH', clock: 12 });
  expect(choice?.passAfter(100)).toBe(62);
});

test('starts a class that was empty at the virtual time of the queue', () => {
  const choice = chooseClass([{ kind: 'MATCH', pass: 0 }], 30, weights);
  expect(choice?.clock).toBe(30);
  expect(choice?.passAfter(3)).toBe(31);
});
