import { expect, test, vi } from 'vitest';
import { ExpiringCache } from '../src/process/expiring-cache.ts';

test('discards entries that are older than their time to live', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  // LRUCache takes the time 0 for no time.
  vi.advanceTimersByTime(1);
  try {
    const cache = new ExpiringCache<{ n: number }>({ max: 100, ttl: 1000, updateAgeOnGet: true });
    for (const n of [1, 2, 3]) cache.set(`early ${n}`, { n });
    vi.advanceTimersByTime(900);
    expect(cache.get('early 1')).toEqual({ n: 1 });
    vi.advanceTimersByTime(900);
    cache.set('late', { n: 4 });
    expect([...cache.keys()].sort(), 'early 1 was used since').toEqual(['early 1', 'late']);
    expect(cache.size).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
