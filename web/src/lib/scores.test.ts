import { describe, expect, it } from 'vitest';
import { githubUrl, profileStats } from './scores.ts';

const entry = (id: string, score: number, time: string) => ({
  id,
  username: 'ann',
  score,
  tag: '2025',
  time_created: time,
});

describe('the statistics of a profile', () => {
  it('are empty without entries', () => {
    expect(profileStats([])).toEqual({ count: 0, best: null, latest: null, lastAt: null, recent: [] });
  });
  it('are sorted by time for entries in any order', () => {
    const stats = profileStats([
      entry('a', 10, '2025-07-01T00:00:00Z'),
      entry('c', -7, '2025-07-03T00:00:00Z'),
      entry('b', 99, '2025-07-02T00:00:00Z'),
    ]);
    expect(stats).toMatchObject({ count: 3, best: 99, latest: -7, lastAt: '2025-07-03T00:00:00Z' });
    expect(stats.recent.map((row) => row.id)).toEqual(['c', 'b', 'a']);
  });
});

describe('the link to GitHub', () => {
  it('accepts a name, an @name or a URL', () => {
    for (const text of ['octocat', '@octocat', 'github.com/octocat', 'https://www.github.com/octocat/']) {
      expect(githubUrl(text)).toBe('https://github.com/octocat');
    }
  });
  it('is null if it would lead to another site', () => {
    for (const text of [null, '', 'javascript:alert(1)', 'https://evil.example/x', 'a/b', '<b>']) {
      expect(githubUrl(text)).toBeNull();
    }
  });
});
