import { describe, expect, it } from 'vitest';
import { secondsLeft } from './cooldown.ts';

describe('the seconds left of a cooldown', () => {
  it('are 0 if none was started', () => expect(secondsLeft(null, 1_000, 60)).toBe(0));
  it('are rounded up', () => expect(secondsLeft(30_001, 0, 60)).toBe(31));
  it('are 0 at the end', () => {
    expect(secondsLeft(30_000, 29_999, 60)).toBe(1);
    expect(secondsLeft(30_000, 30_000, 60)).toBe(0);
    expect(secondsLeft(30_000, 99_000, 60)).toBe(0);
  });
  it('never exceed the limit, even if the clock was set back', () => expect(secondsLeft(9e12, 0, 60)).toBe(60));
  it('are 0 if the storage is corrupt', () => expect(secondsLeft(Number('x'), 0, 60)).toBe(0));
});
