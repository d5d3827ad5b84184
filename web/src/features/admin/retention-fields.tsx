import { useQuery } from '@tanstack/react-query';
import { TextField } from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatBytes, formatNumber, formatTime } from '../../lib/format.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';
import type { EventSettings } from '../../lib/types.ts';

/** Inputs of the rules of retention. */
export type KeepDays = { testRuns: string; logs: string };

export const keepDaysOf = (saved: EventSettings): KeepDays => ({
  testRuns: String(saved.keep_test_runs_days),
  logs: String(saved.keep_logs_days),
});

const FIELDS = [
  { name: 'testRuns', label: 'Test runs', hint: 'Hands and logs of private test runs are removed. Results stay.' },
  { name: 'logs', label: 'Logs', hint: "Bots' logs and the hands of lost attempts are removed, of all matches." },
] as const;

/** Edits after how many days old data is removed, and shows the last run that removed something. */
export function RetentionFields({ value, onChange }: { value: KeepDays; onChange: (value: KeepDays) => void }) {
  return (
    <fieldset className="plain-fieldset">
      <legend className="field-label">Days that old data is kept, 0 for ever</legend>
      <div className="field-grid">
        {FIELDS.map(({ name, label, hint }) => (
          <TextField
            key={name}
            label={label}
            type="number"
            min={0}
            max={3650}
            hint={hint}
            value={value[name]}
            onChange={(event) => onChange({ ...value, [name]: event.target.value })}
          />
        ))}
      </div>
      <LastRun />
    </fieldset>
  );
}

function LastRun() {
  const retention = useQuery({
    queryKey: queryKeys.retention,
    queryFn: ({ signal }) => api.get('/admin/retention', { signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
  });
  if (retention.isError) return <p className="muted">Failed to load the last removal. {messageOf(retention.error)}</p>;
  if (!retention.data) return null;
  const { last_run: run, total } = retention.data;
  if (!run) return <p className="muted">Nothing was removed so far. The rules are applied every hour.</p>;
  return (
    <p className="muted">
      Last removal {formatTime(run.started_at)}: {formatNumber(run.test_runs)} test runs, logs of{' '}
      {formatNumber(run.log_matches)} matches, {formatNumber(run.hands)} hands. In all {formatNumber(total.hands)} hands
      and {formatBytes(total.bytes)}.
    </p>
  );
}
