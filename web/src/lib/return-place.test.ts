import { describe, expect, it } from 'vitest';
import { isOwnPath, parseKept } from './return-place.ts';

const kept = (path: unknown, savedAt: unknown = 1_000) => JSON.stringify({ path, savedAt });

describe('the place to return to after the login', () => {
  it('is given back with its query and hash', () => {
    expect(parseKept(kept('/games/7?gameNumber=3#game-1'), 2_000)).toBe('/games/7?gameNumber=3#game-1');
  });
  it('is forgotten after an hour', () => {
    expect(parseKept(kept('/dashboard'), 1_000 + 3_600_000)).toBeNull();
    expect(parseKept(kept('/dashboard'), 999)).toBeNull();
  });
  it('never leads to another origin', () => {
    for (const path of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '',
      7,
      null,
    ]) {
      expect(isOwnPath(path)).toBe(false);
      expect(parseKept(kept(path), 2_000)).toBeNull();
    }
  });
  it('takes spoilt storage for none', () => {
    for (const stored of [null, '', '{', 'null', '[]', kept('/a', 'x')]) expect(parseKept(stored, 2_000)).toBeNull();
  });
});
