import { quicknet } from '@husky/match/beacon';
import { recordText, sha256Hex } from '@husky/match/commitment';
import { SEED_LIST_SIZE, seedProblem } from '@husky/match/seed-list';
import { describe, expect, test } from 'vitest';
import { checkMatchRules, checkMode, checkStacks, maxRounds } from './match-rules.ts';
import { growList, pathOf, readBeacon, seedAt } from './seed-list.ts';
import { checkTestRunQuota, dayMs } from './test-run-quota.ts';

describe('match rules', () => {
  const blinds = (more: object = {}) => ({ bigBlind: 20, multiplier: '1.5', interval: 10, ...more });

  test('accepts hands and blinds within their bounds and returns the blinds', () => {
    expect(checkMatchRules(1, blinds())).toEqual({ bigBlind: 20, multiplier: '1.5', interval: 10 });
    expect(maxRounds).toBe(10_000);
    for (const given of [
      blinds({ bigBlind: 1 }),
      blinds({ bigBlind: 1_000_000 }),
      blinds({ multiplier: '0.1' }),
      blinds({ multiplier: '1000' }),
      blinds({ multiplier: '1000.000000' }),
      blinds({ multiplier: '999.123456' }),
      blinds({ interval: 1 }),
    ]) {
      expect(checkMatchRules(10_000, given)).toEqual(given);
    }
  });

  test('uses a constant big blind of 10 without blinds, and 1 for an empty multiplier', () => {
    expect(checkMatchRules(5, null)).toEqual({ bigBlind: 10, multiplier: '1', interval: 1 });
    expect(checkMatchRules(5, blinds({ multiplier: '' }))).toMatchObject({ multiplier: '1' });
  });

  test.each([0, -1, 10_001, 1.5, Number.NaN])('refuses %d hands', (numRounds) => {
    expect(() => checkMatchRules(numRounds, null)).toThrow('The number of rounds must be between 1 and 10,000.');
  });

  test.each([0, -5, 1_000_001, 2.5])('refuses a big blind of %d', (bigBlind) => {
    expect(() => checkMatchRules(5, blinds({ bigBlind }))).toThrow(
      'The initial blind must be between 1 and 1,000,000.',
    );
  });

  test.each(['0', '0.09', '1000.1', '10000', '-1', 'x', '1.', '.5', '1.1234567', '1e2', 'x1', '1x'])(
    'refuses a multiplier of %s',
    (multiplier) => {
      expect(() => checkMatchRules(5, blinds({ multiplier }))).toThrow(
        'The blind multiplier must be a decimal number between 0.1 and 1000.',
      );
    },
  );

  test.each([0, -1, 0.5])('refuses an interval of %d', (interval) => {
    expect(() => checkMatchRules(5, blinds({ interval }))).toThrow('The blind increase interval must be at least 1.');
  });

  test('refuses with a code and a reason', () => {
    expect(() => checkMatchRules(0, null)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'match-invalid' }),
    );
  });

  test('plays classic matches with carried stacks and duplicate matches with reset stacks by default', () => {
    expect(checkMode('')).toBe('classic');
    expect(checkMode('classic')).toBe('classic');
    expect(checkMode('duplicate')).toBe('duplicate');
    expect(checkStacks('', 'classic')).toBe('carry');
    expect(checkStacks('', 'duplicate')).toBe('reset');
    expect(checkStacks('reset', 'classic')).toBe('reset');
    expect(checkStacks('carry', 'duplicate')).toBe('carry');
  });

  test('refuses unknown modes and stacks', () => {
    expect(() => checkMode('quick')).toThrow("The mode must be 'classic' or 'duplicate'.");
    expect(() => checkStacks('deep', 'classic')).toThrow("The stacks must be 'carry' or 'reset'.");
  });
});

describe('seed list', () => {
  test('every seed of a list is proven by its path, and by no other', () => {
    const secret = Buffer.alloc(32, 3);
    const { root, nodes } = growList(secret);
    const link = { number: 1, jobHash: sha256Hex('seeds:1'), commitment: root, time: 't', previous: '0'.repeat(64) };
    const record = { ...link, hash: sha256Hex(recordText(link)) };
    const problem = (place: number, number = place) =>
      seedProblem(
        { seed: seedAt(secret, place), proof: { path: pathOf(secret, nodes, place), record }, recordNumber: 2 },
        { seeds: { list: 1, number } } as Parameters<typeof seedProblem>[1],
      );
    const places = [0, 1, 2, 511, 512, 513, 65_535, SEED_LIST_SIZE / 2, SEED_LIST_SIZE - 1];
    expect(places.map((place) => problem(place))).toEqual(places.map(() => undefined));
    for (const place of places) expect(problem(place, place ^ 1)).toContain('does not stand at place');
    expect(new Set(places.map((place) => seedAt(secret, place).toString('hex'))).size).toBe(places.length);
  });

  const info = {
    hash: 'a'.repeat(64),
    public_key: 'b'.repeat(192),
    genesis_time: 1_700_000_000,
    period: 30,
    schemeID: 'x',
  };

  test('reads the relays and the chain of a beacon, and refuses what is none', () => {
    expect(readBeacon('', '')).toBeNull();
    const urls = ['https://api.drand.sh', 'https://drand.cloudflare.com'];
    expect(readBeacon(` ${urls.join(' , ')},`, '')).toEqual({ urls, chain: quicknet });
    expect(readBeacon('https://a.test', JSON.stringify(info))?.chain).toEqual({
      hash: info.hash,
      publicKey: info.public_key,
      genesis: info.genesis_time,
      period: 30,
    });
    expect(() => readBeacon('api drand', '')).toThrow('BEACON_URLS: api drand is no URL');
    for (const chain of [
      '{',
      '[]',
      'null',
      ...Object.keys(info)
        .slice(0, 4)
        .map((key) => JSON.stringify({ ...info, [key]: 0 })),
    ])
      expect(() => readBeacon('https://a.test', chain), chain).toThrow('BEACON_CHAIN: ');
  });
});

describe('test run quota', () => {
  const now = Date.UTC(2026, 0, 2, 10, 30);
  const limits = { maxTestRuns: 2, maxTestRunsADay: 3 };
  const unused = { unfinished: 0, blockingStart: undefined };

  test('allows a test run below both limits', () => {
    checkTestRunQuota(limits, unused, now);
    checkTestRunQuota(limits, { unfinished: 1, blockingStart: now - dayMs }, now);
    expect(dayMs).toBe(86_400_000);
  });

  test('refuses a test run if the user has as many unfinished ones as the limit', () => {
    expect(() => checkTestRunQuota(limits, { ...unused, unfinished: 2 }, now)).toThrow(
      expect.objectContaining({
        code: 'RESOURCE_EXHAUSTED',
        reason: 'too-many-test-runs',
        message: 'You already have 2 test runs that have not ended. Please wait for one to end.',
        retryAfterS: 15,
      }),
    );
    expect(() => checkTestRunQuota({ ...limits, maxTestRuns: 1 }, { ...unused, unfinished: 1 }, now)).toThrow(
      'You already have a test run that has not ended. Please wait for one to end.',
    );
  });

  test('says when the next test run can start, rounded up to the minute', () => {
    const blockingStart = now - dayMs + 90_001;
    expect(() => checkTestRunQuota(limits, { unfinished: 0, blockingStart }, now)).toThrow(
      expect.objectContaining({
        code: 'RESOURCE_EXHAUSTED',
        reason: 'too-many-test-runs-today',
        message:
          'You have used all of your 3 test runs of 24 hours. The next one can start at 10:32 UTC on 2026-01-02.',
        retryAfterS: 91,
      }),
    );
    expect(() =>
      checkTestRunQuota({ ...limits, maxTestRunsADay: 1 }, { unfinished: 0, blockingStart: now }, now),
    ).toThrow('You have used your one test run of 24 hours. The next one can start at 10:30 UTC on 2026-01-03.');
  });

  test.each([{ maxTestRuns: 0 }, { maxTestRunsADay: 0 }])('allows no test run with a limit of 0: %j', (zero) => {
    expect(() => checkTestRunQuota({ ...limits, ...zero }, unused, now)).toThrow(
      expect.objectContaining({
        code: 'FAILED_PRECONDITION',
        reason: 'no-test-runs',
        message: 'The organisers allow you no test runs at present.',
      }),
    );
  });
});
