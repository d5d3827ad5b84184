import { createHash } from 'node:crypto';
import { recordText, type TakenSeeds } from '@husky/match/commitment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { expect, test } from 'vitest';
import {
  brokenLink,
  type ChainRecord,
  chainBeginning,
  commitTo,
  linkRecords,
  positionAfter,
  publicInputOf,
} from './commitment-chain.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const textOf = (record: ChainRecord) => recordText({ ...record, time: record.madeAt.toISOString() });
const jobs = [
  { id: 'job-1', commitment: 'c1' },
  { id: 'job-2', commitment: 'c2' },
];
const now = Date.UTC(2026, 0, 1, 12);

test('links the first record to 64 zeros and each other one to the hash of its predecessor', () => {
  const [first, second] = linkRecords(undefined, jobs, now);
  expect(first).toMatchObject({ number: 1, jobHash: sha256('job-1'), commitment: 'c1', previous: '0'.repeat(64) });
  expect(first?.madeAt).toEqual(new Date(now));
  expect(second).toMatchObject({ number: 2, jobHash: sha256('job-2'), commitment: 'c2', previous: first?.hash });
  expect(first && textOf(first)).toBe(
    `{"commitment":"c1","jobHash":"${sha256('job-1')}","number":1,"previous":"${'0'.repeat(64)}","time":"2026-01-01T12:00:00.000Z"}`,
  );
  expect(first?.hash).toBe(first && sha256(textOf(first)));
  expect(second?.hash).toBe(second && sha256(textOf(second)));
});

test('links a plan by its kind and id, and finds every kind of break', () => {
  const records = linkRecords(undefined, [{ kind: 'plan', id: 'p', commitment: 'c' }, ...jobs], now);
  expect(records.map(({ kind, jobHash }) => [kind, jobHash])).toEqual([
    ['plan', sha256('plan:p')],
    ['match', sha256('job-1')],
    ['match', sha256('job-2')],
  ]);
  const [first, second] = records;
  if (!first || !second) throw new Error('no records');
  const at = positionAfter(chainBeginning, first);
  expect(brokenLink(chainBeginning, first)).toBeUndefined();
  expect(brokenLink(at, second)).toBeUndefined();
  expect(brokenLink(at, { ...second, number: 3 })).toBe('Record 2 of the chain is missing.');
  expect(brokenLink(at, { ...second, commitment: 'other' })).toBe('Record 2 of the chain was changed.');
  expect(brokenLink({ ...at, hash: 'h' }, second)).toBe('Record 2 of the chain does not follow the record before it.');
  expect(brokenLink({ ...at, madeAt: now + 1 }, second)).toBe(
    'Record 2 of the chain is older than the record before it.',
  );
});

test('takes seeds in the order of the lists without gaps', () => {
  const takes = (seeds: TakenSeeds) => {
    const [first] = linkRecords(
      undefined,
      [{ kind: 'plan', id: 'p', commitment: 'c', seeds: { list: 1, first: 0, count: 3 } }],
      now,
    );
    const [second] = first ? linkRecords(first, [{ kind: 'plan', id: 'q', commitment: 'c', seeds }], now) : [];
    if (!first || !second) throw new Error('no records');
    return brokenLink(positionAfter(chainBeginning, first), second);
  };
  expect([takes({ list: 1, first: 3, count: 6 }), takes({ list: 2, first: 0, count: 1 })]).toEqual([
    undefined,
    undefined,
  ]);
  const wrong = [
    { list: 1, first: 4, count: 1 },
    { list: 1, first: 2, count: 1 },
    { list: 2, first: 1, count: 1 },
    { list: 3, first: 0, count: 1 },
  ];
  for (const seeds of wrong) {
    expect(takes(seeds)).toBe(
      `Record 2 of the chain takes seed ${seeds.first} of list ${seeds.list}, where seed 3 of list 1 follows.`,
    );
  }
});

test('continues after the head with a time that is never earlier', () => {
  const head = { number: 41, hash: 'h', madeAt: new Date(now + 5000) };
  expect(
    linkRecords(head, jobs, now).map(({ number, previous, madeAt }) => [number, previous, madeAt.getTime()]),
  ).toEqual([
    [42, 'h', now + 5000],
    [43, expect.any(String), now + 5000],
  ]);
  expect(linkRecords({ ...head, madeAt: new Date(now - 1) }, jobs, now)[0]?.madeAt.getTime()).toBe(now);
  expect(linkRecords(head, [], now)).toEqual([]);
});

const match = {
  numRounds: 10,
  blinds: { bigBlind: 10, multiplier: '1', interval: 1 },
  stacks: 'carry',
  seats: [
    { userId: 'ann', botHash: 'a', packagesHash: '' },
    { userId: 'bob', botHash: 'b', packagesHash: 'p' },
  ],
};
const facts = {
  blinds: { bigBlind: 10, interval: 1, multiplier: '1' },
  hands: 10,
  profile: 'documented',
  roster: [
    { botHash: 'a', packagesHash: '', userId: 'ann' },
    { botHash: 'b', packagesHash: 'p', userId: 'bob' },
  ],
  rulesVersion: RULES_VERSION,
  startingStack: 10_000,
};

test('computes the commitment as the SHA-256 of the canonical facts with the seed', () => {
  const { commitment, input } = commitTo({ ...match, seed: Buffer.from('0a0b', 'hex') });
  expect(JSON.parse(input)).toEqual({ ...facts, seed: '0a0b' });
  expect(commitment).toBe(createHash('sha256').update(input).digest('hex'));
});

test('returns the same facts without the seed as public input', () => {
  expect(publicInputOf(match)).toBe(JSON.stringify(facts));
});

test('prefers stored facts of a match to those of the running version', () => {
  const stored = { rulesVersion: 7, startingStack: 500, profile: 'classic' };
  expect(JSON.parse(publicInputOf({ ...match, ...stored }))).toEqual({ ...facts, ...stored });
});

test('commits to reset stacks under a separate key', () => {
  const { startingStack, ...before } = facts;
  const reset = JSON.stringify({ ...before, stacks: 'reset', startingStack });
  expect(publicInputOf({ ...match, stacks: 'reset' })).toBe(reset);
});

test('refuses to commit while packages of a seat are unknown', () => {
  const seats = [{ userId: 'ann', botHash: 'a', packagesHash: null }];
  expect(() => commitTo({ ...match, seats, seed: Buffer.alloc(1) })).toThrow(
    'the packages of a seat are not known yet',
  );
});
