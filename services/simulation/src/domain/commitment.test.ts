import { createHash } from 'node:crypto';
import { RULES_VERSION } from '@husky/match/rules-version';
import { expect, test } from 'vitest';
import { commitTo, publicInputOf } from './commitment.ts';

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
