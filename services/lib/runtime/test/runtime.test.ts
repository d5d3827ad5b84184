import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countRows } from '../src/database/row-count.ts';
import { sql } from '../src/database/sql.ts';
import { ExpiringCache } from '../src/process/expiring-cache.ts';
import { createSharedWork } from '../src/process/shared-work.ts';
import { createAdmission } from '../src/rpc/admission.ts';
import { pageOf } from '../src/rpc/page.ts';
import { withParty } from '../src/rpc/party.ts';

describe('page', () => {
  test.each([
    [{ pageSize: 0 }, {}, { skip: 0, take: 100 }],
    [{ page: 3, pageSize: 20 }, {}, { skip: 40, take: 20 }],
    [{ page: 0, pageSize: 1000 }, {}, { skip: 0, take: 1000 }],
    [{ page: 1, pageSize: 0 }, { normal: 1000 }, { skip: 0, take: 1000 }],
    [{ page: 1, pageSize: 0 }, { most: 50 }, { skip: 0, take: 50 }],
  ])('%o with %o is %o', (request, limits, page) => expect(pageOf(request, limits)).toEqual(page));

  test.each([
    [{ page: -1, pageSize: 1 }, {}, 1000],
    [{ page: 1_000_001, pageSize: 1 }, {}, 1000],
    [{ page: 1, pageSize: -1 }, {}, 1000],
    [{ page: 1, pageSize: 1001 }, {}, 1000],
    [{ page: 1, pageSize: 201 }, { most: 200 }, 200],
  ])('%o with %o is refused', (request, limits, most) =>
    expect(() => pageOf(request, limits)).toThrow(
      expect.objectContaining({ reason: 'page-invalid', message: `Pages count from 1 and hold 1 to ${most} entries` }),
    ),
  );
});

describe('row count', () => {
  const poolWith = (totals: readonly number[]) => {
    const remaining = [...totals];
    const query = vi.fn(async () => ({ rows: [{ total: remaining.shift() }] }));
    return { pool: { query } as unknown as pg.Pool, query };
  };
  const statement = (value: string) => sql`SELECT count(*) AS total FROM t WHERE a = ${value}`;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    // lru-cache treats a start time of 0 as unset.
    vi.advanceTimersByTime(1000);
  });
  afterEach(() => void vi.useRealTimers());

  test('caches a large count for 10 s, for the same statement and pool', async () => {
    const { pool, query } = poolWith([10_000, 20_000, 30_000]);
    expect(await countRows(pool, statement('x'))).toBe(10_000);
    expect(await countRows(pool, statement('x'))).toBe(10_000);
    expect(await countRows(pool, statement('y'))).toBe(20_000);
    expect(await countRows(poolWith([7]).pool, statement('x'))).toBe(7);
    vi.advanceTimersByTime(10_001);
    expect(await countRows(pool, statement('x'))).toBe(30_000);
    expect(query).toHaveBeenCalledTimes(3);
  });

  test('never caches a smaller count', async () => {
    const { pool } = poolWith([9999, 10]);
    expect(await countRows(pool, statement('x'))).toBe(9999);
    expect(await countRows(pool, statement('x'))).toBe(10);
  });
});

describe('shared work', () => {
  const waits = { maxWaiting: 100, maxWaitMs: 60_000, standingWaitMs: 60_000 };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  function createWork(settings: { readonly maxWaiting?: number } = {}) {
    const work = createSharedWork<string>(createAdmission({ limit: () => 1, ...waits, ...settings }));
    const started: string[] = [];
    const ends: ((result: string | Promise<string>) => void)[] = [];
    return {
      started,
      has: work.has,
      run(account: string, key: string) {
        const start = () => {
          started.push(key);
          return new Promise<string>((resolve) => ends.push(resolve));
        };
        return withParty({ account, address: account }, () => work.run(key, start)).catch(
          (error: Error) => error.message,
        );
      },
      async end(result: string | Promise<string>) {
        ends.shift()?.(result);
        await turn();
      },
    };
  }

  test('callers share work, and one who asks for what a busy account waits for does not wait behind it', async () => {
    const { run, end, started, has } = createWork();
    const results = ['first', 'second', 'third', 'popular'].map((key) => run('mallory', key));
    await turn();
    const ofAlice = run('alice', 'popular');
    const again = run('mallory', 'popular');
    await end('one');
    expect(started).toEqual(['first', 'popular']);
    await end('shared');
    expect([await ofAlice, await again, await results[3]]).toEqual(['shared', 'shared', 'shared']);
    expect(has('popular')).toBe(false);
    await end('two');
    await end('three');
    expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'shared']);
    expect(started).toEqual(['first', 'popular', 'second', 'third']);
  });

  test('a failure reaches all who wait and is not kept', async () => {
    const { run, end } = createWork();
    const both = [run('mallory', 'key'), run('alice', 'key')];
    await turn();
    await end(Promise.reject(new Error('broken')));
    expect(await Promise.all(both)).toEqual(['broken', 'broken']);
    const next = run('alice', 'key');
    await turn();
    await end('whole');
    expect(await next).toBe('whole');
  });

  test('a caller without a place is refused, and others still get the work', async () => {
    const { run, end, has } = createWork({ maxWaiting: 1 });
    const first = run('mallory', 'first');
    await turn();
    const waiting = run('mallory', 'second');
    expect(await run('mallory', 'third')).toMatch(/^More requests arrive/);
    expect(has('third')).toBe(false);
    await end('one');
    await end('two');
    expect(await Promise.all([first, waiting])).toEqual(['one', 'two']);
  });

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
});
