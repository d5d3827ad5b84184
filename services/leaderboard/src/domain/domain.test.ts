import { houseUserId } from '@husky/contracts/house-user';
import { expect, test } from 'vitest';
import { checkScore, checkTag } from './entry-rules.ts';
import { checkCountable, deltasOf } from './job-deltas.ts';

test('returns one delta in cents per user, ordered by user id, without the house bot', () => {
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

test('counts finished matches between different users only', () => {
  const results = [
    { userId: 'a', delta: 5 },
    { userId: 'b', delta: -5 },
  ];
  const finished = { status: 'FINISHED', kind: 'MATCH', challengeId: '', results } as const;
  expect(() => checkCountable(finished)).not.toThrow();
  expect(() => checkCountable({ ...finished, kind: 'BATCH_MATCH' })).not.toThrow();
  expect(() => checkCountable({ ...finished, status: 'RUNNING' })).toThrow('not finished');
  expect(() => checkCountable({ ...finished, status: 'FAILED' })).toThrow('failed');
  expect(() => checkCountable({ ...finished, kind: 'TEST_RUN' })).toThrow('test run');
  expect(() => checkCountable({ ...finished, results: [...results, { userId: 'a', delta: 0 }] })).toThrow('One user');
  const withHouse = [...results, { userId: houseUserId, delta: 0 }];
  expect(() => checkCountable({ ...finished, results: withHouse })).toThrow('house bot');
});

test('refuses reserved tags and scores that are too large or not whole', () => {
  expect(checkTag(' spring ')).toBe('spring');
  expect(() => checkTag('llm-batch')).toThrow('platform');
  expect(checkScore(-1e14)).toBe(-1e14);
  for (const score of [1e14 + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => checkScore(score)).toThrow();
});
