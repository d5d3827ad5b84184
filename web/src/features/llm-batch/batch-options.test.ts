import { expect, it } from 'vitest';
import { budgetError, DEFAULT_OPTIONS, optionsToSend, stopToSend } from './batch-options.tsx';

it('sends nothing by default', () => expect(optionsToSend(DEFAULT_OPTIONS)).toEqual({}));

it('sends mode, design and budget', () => {
  expect(optionsToSend({ ...DEFAULT_OPTIONS, mode: 'duplicate', design: 'balanced', budget: '600000' })).toEqual({
    mode: 'duplicate',
    design: 'balanced',
    hand_budget: 600_000,
  });
});

it('carries the stacks of a duplicate batch with a stopping rule', () => {
  const options = { ...DEFAULT_OPTIONS, mode: 'duplicate' as const };
  expect(optionsToSend({ ...options, stop: 'all' })).toEqual({ mode: 'duplicate', stacks: 'carry' });
  expect(optionsToSend({ ...DEFAULT_OPTIONS, stop: 'all' })).toEqual({});
});

it('refuses a balanced design without a valid budget', () => {
  for (const budget of ['', '0', '-5', '1.5', 'x']) {
    expect(optionsToSend({ ...DEFAULT_OPTIONS, design: 'balanced', budget })).toBeNull();
  }
  expect(budgetError('')).toBe('');
  expect(budgetError('1.5')).toBe('The budget must be a whole number of hands');
});

it('sends a stopping rule for all pairs or for two chosen users', () => {
  const roster = ['ann', 'bob', 'cem'];
  expect(stopToSend(DEFAULT_OPTIONS, roster)).toEqual({});
  expect(stopToSend({ ...DEFAULT_OPTIONS, stop: 'all' }, roster)).toEqual({ stop_rule: {} });
  const pair = { ...DEFAULT_OPTIONS, stop: 'pair' as const, first: 'ann', second: 'cem', margin: '20' };
  expect(stopToSend(pair, roster)).toEqual({ stop_rule: { users: ['ann', 'cem'], margin: 20 } });
  expect(stopToSend({ ...pair, second: 'ann' }, roster)).toBeNull();
  expect(stopToSend({ ...pair, second: 'zoe' }, roster)).toBeNull();
  expect(stopToSend({ ...pair, margin: '-1' }, roster)).toBeNull();
});
