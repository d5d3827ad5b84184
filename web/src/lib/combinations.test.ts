import { describe, expect, it } from 'vitest';
import { combinations } from './combinations.ts';

describe('the number of combinations', () => {
  it('is right for the sizes of batches', () => {
    expect([5, 6, 7, 8, 13, 20].map((n) => combinations(n, 6))).toEqual([0, 1, 7, 28, 1_716, 38_760]);
  });
  it('is 0 where there is nothing to choose', () => {
    expect([combinations(-1, 6), combinations(3, 6), combinations(6.5, 6), combinations(6, -1)]).toEqual([0, 0, 0, 0]);
  });
  it('stays exact for 10,000 users', () => expect(combinations(200, 6)).toBe(82_408_626_300));
});
