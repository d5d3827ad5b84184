import { expect, test } from 'vitest';
import type { JobKind } from './job.ts';
import { chooseClass } from './queue-choice.ts';

const weights = { TEST_RUN: 5, MATCH: 3, BATCH_MATCH: 2 } as const;

test('shares work by weight, whatever one job costs', () => {
  const pass = new Map<JobKind, number>([
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

test('chooses nothing from nothing, and test runs first among equals', () => {
  expect(chooseClass([], 5, weights)).toBeUndefined();
  const equal = [
    { kind: 'MATCH', pass: 1 },
    { kind: 'TEST_RUN', pass: 2 },
  ] as const;
  expect(chooseClass(equal, 7, weights)).toMatchObject({ kind: 'TEST_RUN', clock: 7 });
});
