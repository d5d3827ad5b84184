import type { MatchMode } from '../../components/mode-field.tsx';

/** When a batch ends: after its last match, or when the results tell all pairs or one pair of users apart. */
export type Stop = 'never' | 'all' | 'pair';
export type OptionFields = {
  mode: MatchMode;
  design: 'all' | 'balanced';
  budget: string;
  stop: Stop;
  /** Names of the pair. */
  first: string;
  second: string;
  /** Chips per 100 hands; '': none. */
  margin: string;
};
export const DEFAULT_OPTIONS: OptionFields = {
  mode: 'classic',
  design: 'all',
  budget: '',
  stop: 'never',
  first: '',
  second: '',
  margin: '',
};

type Options = { mode?: 'duplicate'; stacks?: 'carry'; design?: 'balanced'; hand_budget?: number };

/** Returns the error of the budget's input, or ''. The server checks whether it suffices. */
export function budgetError(text: string): string {
  if (text === '') return '';
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 1e12 ? '' : 'The budget must be a whole number of hands';
}

/** Returns the error of the margin's input, or ''. */
export function marginError(text: string): string {
  const value = Number(text);
  return value >= 0 && value <= 1e6 ? '' : 'The margin must be a number from 0 to 1,000,000';
}

type StopRule = { users?: string[]; margin?: number };

/** Returns the stopping rule to send, nothing without one; null if it is incomplete. */
export function stopToSend(fields: OptionFields, roster: readonly string[]): { stop_rule?: StopRule } | null {
  const { stop, first, second, margin } = fields;
  if (stop === 'never') return {};
  if (marginError(margin) !== '') return null;
  const equal = Number(margin) > 0 ? { margin: Number(margin) } : {};
  if (stop === 'all') return { stop_rule: equal };
  if (first === second || !roster.includes(first) || !roster.includes(second)) return null;
  return { stop_rule: { users: [first, second], ...equal } };
}

/** Returns the options to send, without defaults; null if the budget is missing or invalid. */
export function optionsToSend({ mode, design, budget, stop }: OptionFields): Options | null {
  const carried = stop === 'never' ? {} : { stacks: 'carry' as const };
  const duplicate = mode === 'duplicate' ? { mode, ...carried } : {};
  if (design === 'all') return duplicate;
  if (budget === '' || budgetError(budget) !== '') return null;
  return { ...duplicate, design, hand_budget: Number(budget) };
}
