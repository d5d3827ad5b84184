import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChoiceField, SelectField, TextField } from '../../components/field.tsx';
import { type MatchMode, ModeField } from '../../components/mode-field.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { planNumbers } from '../../lib/batch-plan.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { TABLE_SIZE } from './batch-rules.ts';
import { budgetError, marginError, type OptionFields, optionsToSend, type Stop } from './option-fields.ts';

type Props = { roster: readonly string[]; fields: OptionFields; onFields: (fields: OptionFields) => void };

/** Shows the inputs for mode, design, budget and stopping rule of a batch. */
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
