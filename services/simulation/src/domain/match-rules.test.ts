import { expect, test } from 'vitest';
import { checkMatchRules, checkMode, checkStacks, maxRounds } from './match-rules.ts';

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
  expect(() => checkMatchRules(5, blinds({ bigBlind }))).toThrow('The initial blind must be between 1 and 1,000,000.');
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
