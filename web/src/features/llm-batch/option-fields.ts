import type { MatchMode } from '../../components/mode-field.tsx';

export type OptionFields = { mode: MatchMode; design: 'all' | 'balanced'; budget: string };
export const DEFAULT_OPTIONS: OptionFields = { mode: 'classic', design: 'all', budget: '' };

type Options = { mode?: 'duplicate'; design?: 'balanced'; hand_budget?: number };

/** Returns the error of the budget's input, or ''. The server checks whether it suffices. */
export function budgetError(text: string): string {
  if (text === '') return '';
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 1e12 ? '' : 'The budget must be a whole number of hands';
}

/** Returns the options to send, without defaults; null if the budget is missing or invalid. */
export function optionsToSend({ mode, design, budget }: OptionFields): Options | null {
  const duplicate = mode === 'duplicate' ? { mode } : {};
  if (design === 'all') return duplicate;
  if (budget === '' || budgetError(budget) !== '') return null;
  return { ...duplicate, design, hand_budget: Number(budget) };
}
