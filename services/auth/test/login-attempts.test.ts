import { testDatabase } from '@husky/testkit/servers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type AttemptKey, type Proof, signInKeys } from '../src/domain/back-off.ts';
import { countAttempt, refundAttempt } from '../src/store/login-attempts.ts';

const database = await testDatabase('auth');
const pool = database.admin;
const start = Date.parse('2026-11-27T00:00:00Z');
const at = (ms: number) => new Date(start + ms);

const attemptTtlMs = 900_000;
const keyOf = (number: number, freeFailures: number): AttemptKey => ({
  key: new Uint8Array(32).fill(number),
  policy: { freeFailures, maxBlockMs: 5000, ttlMs: attemptTtlMs },
});
const [name, address] = [keyOf(2, 3), keyOf(1, 5)];

/** Counts an attempt. Returns `counted`, or for how long it is refused. */
const count = (ms: number, keys: readonly AttemptKey[] = [name, address]): Promise<string> =>
  countAttempt(pool, keys, at(ms)).then(
    () => 'counted',
    (error: Error) => error.message.replace(/.* in /, ''),
  );

async function failures(): Promise<number[]> {
  const { rows } = await pool.query<{ failures: number }>('SELECT failures FROM login_attempts ORDER BY key DESC');
  return rows.map((row) => row.failures);
}

beforeEach(() => pool.query('TRUNCATE login_attempts'));

afterAll(async () => {
  await database.drop();
});

test('blocks for twice as long after each failure beyond the free ones, up to the maximum of the policy', async () => {
  expect([await count(0), await count(1), await count(2), await count(3)]).toEqual([
    'counted',
    'counted',
    'counted',
    '2s',
  ]);
  expect([await count(2002), await count(2003)]).toEqual(['counted', '4s']);
  expect([await count(6002), await count(6003)]).toEqual(['counted', '5s']);
  expect([await count(11_002), await count(11_003)]).toEqual(['counted', '5s']);
  expect(await failures()).toEqual([6, 6]);
});

test('a refused attempt counts for no key, and a counter starts anew after its time', async () => {
  for (const ms of [0, 1, 2]) await count(ms, [name]);
  expect(await count(3)).toBe('2s');
  expect(await failures()).toEqual([3, 0]);
  expect(await count(3 + attemptTtlMs)).toBe('counted');
  expect(await failures()).toEqual([1, 1]);
});

test('concurrent attempts never exceed the limit and do not deadlock, in whatever order they name the keys', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, number) => count(0, number % 2 === 0 ? [name, address] : [address, name])),
  );
  expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(3);
  expect(await failures()).toEqual([3, 3]);
});

test('a refund takes back its own block, and not that of a later attempt', async () => {
  for (const ms of [0, 1, 2]) await count(ms);
  await refundAttempt(pool, [name, address], at(2));
  expect(await count(3)).toBe('counted');
  await refundAttempt(pool, [name, address], at(1));
  expect(await failures()).toEqual([2, 2]);
  expect(await count(4)).toBe('2s');
});

test.each<[Proof, number, (index: number) => string]>([
  ['device', 10, () => '192.0.2.1'],
  ['address', 100, () => '192.0.2.1'],
  ['network', 200, (index) => `192.0.2.${index % 250}`],
  ['none', 500, (index) => `198.${index % 250}.1.1`],
])('with proof %s an account bears %i guesses at once, then one a minute', async (proof, most, addressOf) => {
  const guess = (index: number, ms: number) =>
    count(ms, signInKeys(proof, 'alice', { address: addressOf(index), device: 'd' }));
  for (let index = 0; index < most; index++) expect(await guess(index, 0)).toBe('counted');
  const rest: string[] = [];
  // Whoever guesses on is blocked for twice as long each time, up to a minute.
  for (let ms = 1; ms < 600_000; ms += 1000) rest.push(await guess(most + ms, ms));
  expect(rest[0]).toBe('2s');
  expect(rest.filter((outcome) => outcome === 'counted').length).toBeLessThanOrEqual(15);
  expect(rest.slice(-60).filter((outcome) => outcome === 'counted')).toHaveLength(1);
});
