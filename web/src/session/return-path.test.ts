import { describe, expect, it } from 'vitest';
import { isOwnPath, parseReturnPath } from './return-path.ts';

const storedPath = (path: unknown, savedAt: unknown = 1_000) => JSON.stringify({ path, savedAt });

describe('the path to return to after the login', () => {
  it('is returned with its query and hash', () => {
    expect(parseReturnPath(storedPath('/games/7?gameNumber=3#game-1'), 2_000)).toBe('/games/7?gameNumber=3#game-1');
  });
  it('expires after an hour', () => {
    expect(parseReturnPath(storedPath('/dashboard'), 1_000 + 3_600_000)).toBeNull();
    expect(parseReturnPath(storedPath('/dashboard'), 999)).toBeNull();
  });
  it('is null for another origin', () => {
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
      expect(parseReturnPath(storedPath(path), 2_000)).toBeNull();
    }
  });
  it('is null if storage is corrupt', () => {
    for (const stored of [null, '', '{', 'null', '[]', storedPath('/a', 'x')])
      expect(parseReturnPath(stored, 2_000)).toBeNull();
  });
});
