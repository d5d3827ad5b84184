import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckField, Form, type MatchMode, ModeField, TextField } from '../../components/form.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows, RefreshButton } from '../../components/pagination.tsx';
import { RosterPage } from '../../components/roster-page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatNumber } from '../../lib/format.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { invalidateJobs, POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';

const SEATS = 6;
/** Of an official match, beyond the limit of the form. */
const OFFICIAL_HANDS = 1000;

export function SimulationPage() {
  const client = useQueryClient();
  const [roster, setRoster] = useState<string[]>([]);
  const [fields, setFields] = useState(DEFAULT_FIELDS);
  const [mode, setMode] = useState<MatchMode>('classic');
  const [official, setOfficial] = useState(false);
  const [isPublic, setPublic] = useState(false);
  const parameters = readParameters(official ? { ...fields, num_rounds: DEFAULT_FIELDS.num_rounds } : fields);
  const ready = roster.length === SEATS;

  const start = useMutation({
    mutationFn: () =>
      api.post('/sim/async_run_user', {
        body: {
          users_list: roster,
          ...parameters,
          ...(official ? { num_rounds: OFFICIAL_HANDS } : {}),
          mode,
          public: isPublic,
        },
      }),
    onSuccess: (response) => {
      const started = response.job_ids
        ? `${response.job_ids.length} matches of a deal set, first job ${response.job_id}`
        : `job ${response.job_id}`;
      toast.success(`Simulation started: ${started}`);
      setRoster([]);
    },
    onError: (error) => toast.error(`Failed to start simulation: ${messageOf(error)}`),
    onSettled: () => invalidateJobs(client),
  });

  return (
    <RosterPage
      title="Simulation Control"
      lead="Seat six final submissions at a table and start a match."
      rosterTitle="SIMULATION ROSTER"
      count={`${roster.length}/${SEATS}`}
      ready={ready}
      roster={roster}
      seats={SEATS}
      limit={SEATS}
      onRoster={setRoster}
      beside={
        <Panel title="Parameters">
          <Form
            onSubmit={() => {
              if (ready && parameters) start.mutate();
            }}
          >
            <ParameterInputs fields={fields} official={official} onFields={setFields} />
            <ModeField mode={mode} onMode={setMode} />
            <CheckField
              label={`Official match: ${formatNumber(OFFICIAL_HANDS)} hands`}
              checked={official}
              onCheck={setOfficial}
            />
            <CheckField label="Public from the start" checked={isPublic} onCheck={setPublic} />
            <Button type="submit" disabled={!ready || !parameters || start.isPending}>
              {ready ? 'INITIATE SIMULATION' : 'SELECT 6 PARTICIPANTS'}
            </Button>
          </Form>
        </Panel>
      }
    >
      <SimulationJobs />
    </RosterPage>
  );
}

function ParameterInputs({
  fields,
  official,
  onFields,
}: {
  fields: ParameterFields;
  official: boolean;
  onFields: (fields: ParameterFields) => void;
}) {
  return (
    <div className="field-grid">
      {parameterNames
        .filter((name) => !(official && name === 'num_rounds'))
        .map((name) => (
          <TextField
            key={name}
            label={RULES[name].label}
            type="number"
            inputMode="decimal"
            min={RULES[name].min}
            max={RULES[name].max}
            step={RULES[name].step}
            value={fields[name]}
            error={parameterError(name, fields[name])}
            onChange={(event) => onFields({ ...fields, [name]: event.target.value })}
          />
        ))}
    </div>
  );
}

function SimulationJobs() {
  const jobs = usePagedList({
    queryKey: queryKeys.simulationJobs,
    fetch: (paging, signal) => api.getList('/admin/sim-admin-jobs', { query: { ...paging, order: 'running' }, signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <Panel title="SIMULATION JOBS" flush actions={<RefreshButton list={jobs} />}>
      <PagedRows list={jobs} noun="jobs" empty="No simulation jobs found">
        {(rows) => <JobTable caption="Simulation jobs" jobs={rows} />}
      </PagedRows>
    </Panel>
  );
}

type ParameterFields = Record<'num_rounds' | 'blind' | 'blind_multiplier' | 'blind_increase_interval', string>;
export type Parameters = Record<keyof ParameterFields, number>;

export const DEFAULT_FIELDS: ParameterFields = {
  num_rounds: '6',
  blind: '10',
  blind_multiplier: '1.0',
  blind_increase_interval: '1',
};

type Rule = { label: string; min: number; max: number; step: number };

/** Limits of the inputs. The server checks its own (`/sim/async_run_user` in /openapi.json). */
const RULES: Record<keyof ParameterFields, Rule> = {
  num_rounds: { label: 'Rounds', min: 1, max: 100, step: 1 },
  blind: { label: 'Initial blind', min: 1, max: 60_000, step: 1 },
  blind_multiplier: { label: 'Blind multiplier', min: 0.1, max: 1_000, step: 0.01 },
  blind_increase_interval: { label: 'Blind increase interval', min: 1, max: 10_000, step: 1 },
};

const parameterNames = Object.keys(RULES) as (keyof ParameterFields)[];

/** Returns the error of one of the four inputs, or ''. */
export function parameterError(name: keyof ParameterFields, text: string): string {
  const rule = RULES[name];
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return `${rule.label} must be a number`;
  if (rule.step === 1 && !Number.isInteger(value)) return `${rule.label} must be a whole number`;
  // 1.15 / 0.01 is not a whole number in floating point; rounded to twelve digits it is.
  const steps = Number((value / rule.step).toPrecision(12));
  if (!Number.isInteger(steps)) return `${rule.label} must be in steps of ${rule.step}`;
  if (value < rule.min) return `${rule.label} must be at least ${rule.min}`;
  if (value > rule.max) return `${rule.label} must be at most ${formatNumber(rule.max)}`;
  return '';
}

/** Returns the numbers to send, or null if an input is invalid. */
export function readParameters(fields: ParameterFields): Parameters | null {
  if (parameterNames.some((name) => parameterError(name, fields[name]) !== '')) return null;
  return Object.fromEntries(parameterNames.map((name) => [name, Number(fields[name])])) as Parameters;
}
