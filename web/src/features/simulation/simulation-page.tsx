import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { type MatchMode, ModeField } from '../../components/mode-field.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows, RefreshButton } from '../../components/paged-rows.tsx';
import { RosterPage } from '../../components/roster-page.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { invalidateJobs } from '../../lib/stale-lists.ts';
import { usePagedList } from '../../lib/use-paged-list.ts';
import { DEFAULT_FIELDS, type ParameterFields, parameterError, RULES, readParameters } from './parameters.ts';

const SEATS = 6;

export function SimulationPage() {
  const client = useQueryClient();
  const [roster, setRoster] = useState<string[]>([]);
  const [fields, setFields] = useState(DEFAULT_FIELDS);
  const [mode, setMode] = useState<MatchMode>('classic');
  const parameters = readParameters(fields);
  const ready = roster.length === SEATS;

  const start = useMutation({
    mutationFn: () => api.post('/sim/async_run_user', { body: { users_list: roster, ...parameters, mode } }),
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
            <ParameterInputs fields={fields} onFields={setFields} />
            <ModeField mode={mode} onMode={setMode} />
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
  onFields,
}: {
  fields: ParameterFields;
  onFields: (fields: ParameterFields) => void;
}) {
  return (
    <div className="field-grid">
      {(Object.keys(RULES) as (keyof ParameterFields)[]).map((name) => (
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
    fetch: (paging, signal) => api.getList('/admin/sim-admin-jobs', { query: paging, signal }),
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
