import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorBox, LoadError, Loading } from '../../components/feedback.tsx';
import { Form, SubmitButton, TextField } from '../../components/form.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { EventSettings, UserQuota } from '../../lib/types.ts';

type Props = { username: string | null; onClose: () => void };

/** Edits one user's own quotas, which override those of the event. */
export function QuotaDialog({ username, onClose }: Props) {
  return (
    <Dialog open={username !== null} title={`Quota of ${username ?? ''}`} onClose={onClose}>
      {username !== null && <Loaded key={username} username={username} onClose={onClose} />}
    </Dialog>
  );
}

function Loaded({ username, onClose }: { username: string; onClose: () => void }) {
  const quota = useQuery({
    queryKey: queryKeys.userQuota(username),
    queryFn: ({ signal }) => api.get('/admin/quota/{username}', { params: { username }, signal }),
    // The form must start with the current values, not with cached ones.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const event = useQuery({
    queryKey: queryKeys.eventSettings,
    queryFn: ({ signal }) => api.get('/admin/settings', { signal }),
  });
  if (quota.isError) {
    return <LoadError what="the quota" query={quota} />;
  }
  if (!quota.data || event.isPending) return <Loading inline />;
  return <QuotaForm key={quota.data.version} saved={quota.data} event={event.data} onClose={onClose} />;
}

type FormProps = { saved: UserQuota; event: EventSettings | undefined; onClose: () => void };

function QuotaForm({ saved, event, onClose }: FormProps) {
  const client = useQueryClient();
  const [form, setForm] = useState(() =>
    Object.fromEntries(QUOTA_FIELDS.map(({ name }) => [name, saved.own[name]?.toString() ?? ''])),
  );
  const [error, setError] = useState('');
  const save = useMutation({
    mutationFn: () => {
      const own = Object.fromEntries(
        QUOTA_FIELDS.map(({ name }) => [name, form[name]?.trim() ? Number(form[name]) : null]),
      ) as Record<QuotaName, number | null>;
      const body = { ...own, expected_version: saved.version };
      return api.post('/admin/quota/{username}', { params: { username: saved.username }, body });
    },
    onMutate: () => setError(''),
    onSuccess: () => {
      toast.success(`Quota of ${saved.username} saved.`);
      onClose();
      return client.invalidateQueries({ queryKey: queryKeys.userQuota(saved.username) });
    },
    // The input is kept, even if somebody else has saved meanwhile.
    onError: (failure) => setError(`Failed to save the quota: ${messageOf(failure)}`),
  });

  return (
    <Form onSubmit={() => save.mutate()}>
      <p className="muted">Leave a field empty to use the event's setting. 0 allows none.</p>
      <ErrorBox text={error} />
      <QuotaFields
        values={form}
        min={0}
        placeholders={event}
        onChange={(name, value) => setForm({ ...form, [name]: value })}
      />
      {saved.updated_at !== null && (
        <p className="muted">
          Last saved {formatTime(saved.updated_at)}
          {saved.updated_by ? ` by ${saved.updated_by}` : ''}
        </p>
      )}
      <div className="cluster">
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton busy={save.isPending} label="Save quota" busyLabel="Saving..." />
      </div>
    </Form>
  );
}

/** Quotas of a user with their maximum. */
export const QUOTA_FIELDS = [
  { name: 'max_test_runs', label: 'Unfinished test runs', max: 100 },
  { name: 'max_test_runs_a_day', label: 'Test runs within 24 hours', max: 10_000 },
  { name: 'max_submissions', label: 'Submissions kept', max: 100 },
  { name: 'max_uploads_a_day', label: 'Uploads within 24 hours', max: 10_000 },
  { name: 'max_challenges_a_day', label: 'Challenges within 24 hours', max: 10_000 },
  { name: 'max_trial_hands_a_day', label: 'Hands of trials within 24 hours', max: 10_000_000 },
] as const;

export type QuotaName = (typeof QUOTA_FIELDS)[number]['name'];

type QuotaFieldsProps = {
  values: Readonly<Partial<Record<QuotaName, string>>>;
  /** 1 in the event's settings, 0 for a single user. */
  min: 0 | 1;
  /** The values that apply to empty fields. */
  placeholders?: Readonly<Record<QuotaName, number>> | undefined;
  onChange: (name: QuotaName, value: string) => void;
};

/** One number field for each quota. */
export function QuotaFields({ values, min, placeholders, onChange }: QuotaFieldsProps) {
  return QUOTA_FIELDS.map(({ name, label, max }) => (
    <TextField
      key={name}
      label={label}
      type="number"
      min={min}
      max={max}
      placeholder={placeholders?.[name].toString() ?? ''}
      value={values[name] ?? ''}
      onChange={(event) => onChange(name, event.target.value)}
    />
  ));
}
