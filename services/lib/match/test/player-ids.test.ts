import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { playerIds } from '../src/player-ids.ts';
import { seed } from './matches.ts';

describe('the ids by which bots know players', () => {
  it('equal the published ids for the published seed (vectors of test/vectors.py)', () => {
    expect(playerIds(seed, 6)).toEqual([1851887248, 1141378877, 2296764360, 1419406381, 2218552051, 2868010609]);
    expect(playerIds(seed, 2)).toEqual(playerIds(seed, 6).slice(0, 2));
  });

  it('are distinct and have ten digits below 2^32, whatever the seed', () => {
    for (let round = 0; round < 300; round++) {
      const ids = playerIds(randomBytes(32), 6);
      expect(new Set(ids).size).toBe(6);
      expect(Math.min(...ids)).toBeGreaterThanOrEqual(1_000_000_000);
      expect(Math.max(...ids)).toBeLessThan(2 ** 32);
    }
  });

  it('differ from seed to seed', () => {
    const first = Array.from({ length: 200 }, () => playerIds(randomBytes(32), 1)[0]);
    expect(new Set(first).size).toBe(200);
  });
});
