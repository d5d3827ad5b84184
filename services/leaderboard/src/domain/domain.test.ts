import { houseUserId } from '@husky/contracts/house-user';
import { expect, test } from 'vitest';
import { checkScore, checkTag } from './entry-rules.ts';
import { checkFinished, deltasOf } from './job-deltas.ts';

test('sums the seats of one user, in cents, by user id, without the house', () => {
  const results = [
    { userId: 'b', delta: 5 },
    { userId: 'a', delta: -7 },
    { userId: 'b', delta: 2 },
    { userId: houseUserId, delta: 0 },
  ];
  expect(deltasOf({ results })).toEqual([
    { userId: 'a', deltaCents: -700 },
    { userId: 'b', deltaCents: 700 },
  ]);
});

test('takes finished jobs only', () => {
  expect(() => checkFinished({ status: 'FINISHED' })).not.toThrow();
  expect(() => checkFinished({ status: 'RUNNING' })).toThrow('not finished');
  expect(() => checkFinished({ status: 'FAILED' })).toThrow('failed');
});

test('bounds tags and scores', () => {
  expect(checkTag(' spring ')).toBe('spring');
  expect(() => checkTag('llm-batch')).toThrow('platform');
  expect(checkScore(-1e14)).toBe(-1e14);
  for (const score of [1e14 + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => checkScore(score)).toThrow();
});
