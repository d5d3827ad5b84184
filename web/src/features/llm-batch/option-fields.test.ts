import { expect, it } from 'vitest';
import { budgetError, DEFAULT_OPTIONS, optionsToSend } from './option-fields.ts';

it('sends nothing by default', () => expect(optionsToSend(DEFAULT_OPTIONS)).toEqual({}));

it('sends mode, design and budget', () => {
  expect(optionsToSend({ mode: 'duplicate', design: 'balanced', budget: '600000' })).toEqual({
    mode: 'duplicate',
    design: 'balanced',
    hand_budget: 600_000,
  });
});

it('refuses a balanced design without a valid budget', () => {
  for (const budget of ['', '0', '-5', '1.5', 'x']) {
    expect(optionsToSend({ mode: 'classic', design: 'balanced', budget })).toBeNull();
  }
  expect(budgetError('')).toBe('');
  expect(budgetError('1.5')).toBe('The budget must be a whole number of hands');
});
