import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NewerVersion, QueryState } from '../../components/feedback.tsx';
import { CheckField, Form, SelectField, SubmitButton, TextAreaField, TimeField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';
import type { EventSettings } from '../../lib/types.ts';
import { LadderFields, type LadderForm, ladderBodyOf, ladderFormOf } from './ladder-fields.tsx';
import { QUOTA_FIELDS, QuotaFields, type QuotaName } from './quota-dialog.tsx';
import { type KeepDays, keepDaysOf, RetentionFields } from './retention-fields.tsx';

const FIELDS = ['banner', 'frozen', 'tournament_start', 'tournament_end', 'home_board'] as const;
type Fields = Pick<EventSettings, (typeof FIELDS)[number]> & {
  quotas: Record<QuotaName, string>;
  keep: KeepDays;
  ladder_form: LadderForm;
};

const formOf = (saved: EventSettings): Fields => ({
  ...saved,
  keep: keepDaysOf(saved),
  ladder_form: ladderFormOf(saved),
  quotas: Object.fromEntries(QUOTA_FIELDS.map(({ name }) => [name, String(saved[name])])) as Fields['quotas'],
});

/** Edits the settings of the event: banner, freeze, tournament window, home board, ladder, quotas of all users. */
export function EventSettingsPanel() {
  const settings = useQuery({
    queryKey: queryKeys.eventSettings,
    queryFn: ({ signal }) => api.get('/admin/settings', { signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
  });
  // The settings that the edit started from: polls must not change a form that is being filled in.
  const [opened, setOpened] = useState<EventSettings | null>(null);
  const shown = opened ?? settings.data;
  return (
    <Panel title="EVENT SETTINGS" id="event-settings">
      <QueryState what="the settings" query={settings} />
      {settings.data && shown && (
        <SettingsForm
          key={shown.version}
          saved={shown}
          newest={settings.data}
          onEdit={() => setOpened(shown)}
          onReset={() => setOpened(null)}
        />
      )}
    </Panel>
  );
}

type FormProps = { saved: EventSettings; newest: EventSettings; onEdit: () => void; onReset: () => void };

function SettingsForm({ saved, newest, onEdit, onReset }: FormProps) {
  const client = useQueryClient();
  const [form, setForm] = useState(() => formOf(saved));
  const [error, setError] = useState('');
  const save = useMutation({
    mutationFn: () => {
      const { banner, frozen, tournament_start, tournament_end, home_board } = form;
      const quotas = Object.fromEntries(QUOTA_FIELDS.map(({ name }) => [name, Number(form.quotas[name])]));
      const keep = { keep_test_runs_days: Number(form.keep.testRuns), keep_logs_days: Number(form.keep.logs) };
      const body = {
        banner,
        frozen,
        tournament_start,
        tournament_end,
        home_board,
        ...quotas,
        ...keep,
        ...ladderBodyOf(form.ladder_form),
      };
      return api.post('/admin/settings', { body: { ...body, expected_version: saved.version } });
    },
    onMutate: () => setError(''),
    onSuccess: (next) => {
      client.setQueryData(queryKeys.eventSettings, next);
      onReset();
      toast.success('Settings saved.');
      return Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.appConfig }),
        client.invalidateQueries({ queryKey: queryKeys.leaderboard }),
      ]);
    },
    // The input is kept, even if somebody else has saved meanwhile.
    onError: (failure) => {
      setError(`Failed to save the settings: ${messageOf(failure)}`);
      return client.invalidateQueries({ queryKey: queryKeys.eventSettings });
    },
  });
  const change = (part: Partial<Fields>) => {
    onEdit();
    setForm({ ...form, ...part });
  };
  const reload = () => {
    setError('');
    setForm(formOf(newest));
    onReset();
  };

  return (
    <Form onSubmit={() => save.mutate()} error={error}>
      {newest.version !== saved.version && <NewerVersion by={newest.updated_by} what="settings" onLoad={reload} />}
      <TextAreaField
        label="Banner"
        rows={2}
        maxLength={500}
        hint="Shown above every page. Leave it empty for no banner."
        value={form.banner}
        onChange={(event) => change({ banner: event.target.value })}
      />
      <div className="field-grid">
        <TimeField
          label="Tournament starts"
          value={form.tournament_start}
          onTime={(tournament_start) => change({ tournament_start })}
        />
        <TimeField
          label="Tournament ends"
          value={form.tournament_end}
          onTime={(tournament_end) => change({ tournament_end })}
        />
        <HomeBoardField value={form.home_board} onChoose={(tag) => change({ home_board: tag })} />
      </div>
      <fieldset className="plain-fieldset">
        <legend className="field-label">Each user may have</legend>
        <div className="field-grid">
          <QuotaFields
            values={form.quotas}
            min={1}
            onChange={(name, value) => change({ quotas: { ...form.quotas, [name]: value } })}
          />
        </div>
      </fieldset>
      <LadderFields value={form.ladder_form} onChange={(ladder_form) => change({ ladder_form })} />
      <RetentionFields value={form.keep} onChange={(keep) => change({ keep })} />
      <CheckField
        label="Freeze: no new submissions, no new matches"
        checked={form.frozen}
        onCheck={(frozen) => change({ frozen })}
      />
      <div className="cluster">
        <SubmitButton busy={save.isPending} label="Save settings" busyLabel="Saving..." />
        <span className="muted">
          Last saved {formatTime(saved.updated_at)}
          {saved.updated_by ? ` by ${saved.updated_by}` : ''}
        </span>
      </div>
    </Form>
  );
}

/** Chooses among the boards with entries; '' is the one with the newest result, as is a board that has no entries any more. */
function HomeBoardField({ value, onChoose }: { value: string; onChoose: (tag: string) => void }) {
  const { data } = useQuery({
    queryKey: queryKeys.leaderboardTags,
    queryFn: ({ signal }) => api.get('/leaderboard/tags', { signal }),
  });
  const tags = data?.tags ?? [];
  return (
    <SelectField label="Board on the home page" value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">The one with the newest result</option>
      {tags.map((tag) => (
        <option key={tag}>{tag}</option>
      ))}
      {value !== '' && !tags.includes(value) && <option value={value}>{value} (no entries: newest result)</option>}
    </SelectField>
  );
}
