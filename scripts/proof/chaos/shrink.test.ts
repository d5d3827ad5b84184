import { expect, test } from 'vitest';
import { shrink } from './shrink.ts';

const steps = Array.from({ length: 25 }, (_, index) => index + 1);

test('leaves the one step that fails', async () => {
  expect(await shrink(steps, async (some) => some.includes(17), 100)).toEqual([17]);
});

test('leaves both steps of a failure that needs two, in order', async () => {
  const fails = async (some: readonly number[]) => some.includes(3) && some.includes(20);
  expect(await shrink(steps, fails, 100)).toEqual([3, 20]);
});

test('stops after the maximum number of runs, with steps that still fail', async () => {
  let runs = 0;
  const fails = async (some: readonly number[]) => {
    runs += 1;
    return some.includes(17);
  };
  const left = await shrink(steps, fails, 3);
  expect(runs).toBe(3);
  expect(left).toContain(17);
  expect(left.length).toBeLessThan(25);
});

test('leaves all steps if no part of them fails', async () => {
  expect(await shrink([1, 2, 3], async () => false, 100)).toEqual([1, 2, 3]);
});
