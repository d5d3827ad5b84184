import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CheckField, ChoiceField, type MatchMode, ModeField, SelectField, TextField } from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { planNumbers } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { TABLE_SIZE } from './batch-rules.ts';

type Props = { roster: readonly string[]; fields: OptionFields; onFields: (fields: OptionFields) => void };

/** Shows the inputs for mode, design, budget, stopping rule and visibility of a batch. */
export function BatchOptions({ roster, fields, onFields }: Props) {
  return (
    <>
      <ModeField mode={fields.mode} onMode={(mode: MatchMode) => onFields({ ...fields, mode })} />
      <SelectField
        label="Tables"
        value={fields.design}
        onChange={(event) => onFields({ ...fields, design: event.target.value === 'balanced' ? 'balanced' : 'all' })}
        hint={
          fields.design === 'balanced'
            ? 'Every two users meet equally often, or nearly.'
            : 'One for every 6 of the users.'
        }
      >
        <option value="all">All combinations</option>
        <option value="balanced">Balanced, within a budget of hands</option>
      </SelectField>
      {fields.design === 'balanced' && (
        <TextField
          label="Budget of hands"
          type="number"
          inputMode="numeric"
          min={1}
          value={fields.budget}
          error={budgetError(fields.budget)}
          onChange={(event) => onFields({ ...fields, budget: event.target.value })}
        />
      )}
      <StopInputs roster={roster} fields={fields} onFields={onFields} />
      <CheckField
        label="Public from the start"
        checked={fields.isPublic}
        onCheck={(isPublic) => onFields({ ...fields, isPublic })}
      />
    </>
  );
}

const STOPS: Readonly<Record<Stop, string>> = {
  never: 'After the last match',
  all: 'When all pairs of users are told apart',
  pair: 'When two users are told apart',
};

function StopInputs({ roster, fields, onFields }: Props) {
  return (
    <>
      <ChoiceField label="End" value={fields.stop} choices={STOPS} onChoose={(stop) => onFields({ ...fields, stop })} />
      {fields.stop !== 'never' && (
        <>
          {fields.stop === 'pair' &&
            (['first', 'second'] as const).map((name) => (
              <SelectField
                key={name}
                label={name === 'first' ? 'First user' : 'Second user'}
                value={roster.includes(fields[name]) ? fields[name] : ''}
                onChange={(event) => onFields({ ...fields, [name]: event.target.value })}
              >
                <option value="">Choose a user</option>
                {roster.map((user) => (
                  <option key={user} value={user}>
                    {user}
                  </option>
                ))}
              </SelectField>
            ))}
          <TextField
            label="Margin"
            type="number"
            inputMode="decimal"
            min={0}
            value={fields.margin}
            error={marginError(fields.margin)}
            hint="Differences below it, in chips per 100 hands, count as equal. Empty: none. The probability of a false decision is at most 5 %. Stacks are carried from hand to hand. The rule cannot be changed later."
            onChange={(event) => onFields({ ...fields, margin: event.target.value })}
          />
        </>
      )}
    </>
  );
}

/** Returns the server's plan of a batch of this many users, or the reason of its refusal. Not queried for the default options. */
export function useBatchPlan(users: number, fields: OptionFields) {
  const options = optionsToSend(fields);
  const enabled = users >= TABLE_SIZE && options !== null && Object.keys(options).length > 0;
  const plan = useQuery({
    queryKey: queryKeys.batchPlan(users, JSON.stringify(options)),
    queryFn: ({ signal }) => api.get('/llm/batch-plan', { query: { users, ...options }, signal }),
    enabled: enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!enabled) return { text: '', error: '', refused: options === null };
  if (plan.isError) return { text: '', error: messageOf(plan.error), refused: true };
  return { text: plan.data ? planNumbers(plan.data) : '', error: '', refused: plan.isPlaceholderData };
}

/** When a batch ends: after its last match, or when the results tell all pairs or one pair of users apart. */
type Stop = 'never' | 'all' | 'pair';
type OptionFields = {
  mode: MatchMode;
  design: 'all' | 'balanced';
  budget: string;
  stop: Stop;
  /** Names of the pair. */
  first: string;
  second: string;
  /** Chips per 100 hands; '': none. */
  margin: string;
  isPublic: boolean;
};
export const DEFAULT_OPTIONS: OptionFields = {
  mode: 'classic',
  design: 'all',
  budget: '',
  stop: 'never',
  first: '',
  second: '',
  margin: '',
  isPublic: false,
};

type Options = { mode?: 'duplicate'; stacks?: 'carry'; design?: 'balanced'; hand_budget?: number };

/** Returns the error of the budget's input, or ''. The server checks whether it suffices. */
export function budgetError(text: string): string {
  if (text === '') return '';
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 1e12 ? '' : 'The budget must be a whole number of hands';
}

/** Returns the error of the margin's input, or ''. */
function marginError(text: string): string {
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
