import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { BotUpload } from '../../components/bot-upload.tsx';
import { EmptyState, FreezeNote, QueryState } from '../../components/feedback.tsx';
import { Form, SelectField, SubmitButton, TextField } from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSubmissionUpload } from '../../lib/submission-upload.ts';
import type { Submission } from '../../lib/types.ts';
import { useSubmissionNames, useSubmissions } from './trial-text.tsx';

const DEFAULTS = { field: 'house', alpha: '0.05', margin: '5', maxHands: '100000' } as const;

/** Starts a trial: of the newest version against the final one, unless others are chosen or one is uploaded here. */
export function TrialForm({ handsLeft }: { handsLeft: number | undefined }) {
  const submissions = useSubmissions();
  const upload = useSubmissionUpload();
  const [uploaded, setUploaded] = useState('');
  const ready = (submissions.data?.files ?? []).filter(({ state }) => state === 'ready');
  return (
    <div className="stack">
      <QueryState what="your submissions" query={submissions} />
      <FreezeNote />
      {submissions.data && ready.length < 2 && (
        <EmptyState title="Two versions are needed" text="Upload a new one below, and it is compared with the other." />
      )}
      {ready.length >= 2 && (
        <Fields key={`${uploaded} ${ready.length}`} ready={ready} newest={uploaded} handsLeft={handsLeft} />
      )}
      <details>
        <summary>Upload a new version</summary>
        <BotUpload
          cooldownName="submission"
          missingText="Both player.py and requirements.txt must be selected"
          submitLabel="Upload Submission"
          upload={async (player, requirements) => {
            const { submission_id: id, warnings } = await upload(player, requirements);
            setUploaded(id);
            return warnings;
          }}
        />
      </details>
    </div>
  );
}

type FieldsProps = { ready: Submission[]; newest: string; handsLeft: number | undefined };

function Fields({ ready, newest, handsLeft }: FieldsProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const nameOf = useSubmissionNames();
  const byTime = ready.toSorted((x, y) => Date.parse(y.created_at) - Date.parse(x.created_at));
  const final = ready.find((one) => one.final)?.id;
  const first = byTime.find(({ id }) => id === newest)?.id ?? byTime.find(({ id }) => id !== final)?.id ?? '';
  const other = final !== undefined && final !== first ? final : (byTime.find(({ id }) => id !== first)?.id ?? '');
  const [form, setForm] = useState({ ...DEFAULTS, a: first, b: other } as Record<
    keyof typeof DEFAULTS | 'a' | 'b',
    string
  >);
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value });
  const start = useMutation({
    mutationFn: () => {
      const { a, b, field, alpha, margin, maxHands } = form;
      const body = { a, b, field: field === 'neighbours' ? 'neighbours' : 'house', alpha: Number(alpha) } as const;
      return api.post('/trials', {
        body: { ...body, margin: Number(margin), max_hands: Number(maxHands) },
      });
    },
    onSuccess: async ({ trial_id }) => {
      await client.invalidateQueries({ queryKey: queryKeys.trials });
      await navigate(`/trials/${trial_id}`);
    },
  });
  const options = ready.map(({ id, created_at, final: isFinal }) => (
    <option key={id} value={id}>
      {nameOf(id)}, {formatTime(created_at)}
      {isFinal ? ', final' : ''}
    </option>
  ));
  return (
    <Form onSubmit={() => start.mutate()} error={start.isError ? messageOf(start.error) : ''}>
      <SelectField label="A: the new version" value={form.a} onChange={set('a')}>
        {options}
      </SelectField>
      <SelectField label="B: compared with" value={form.b} onChange={set('b')}>
        {options}
      </SelectField>
      <SelectField
        label="Opponents"
        value={form.field}
        onChange={set('field')}
        hint="Their versions stay the same during the trial. Only one against house bots can be played again at home."
      >
        <option value="house">House bots</option>
        <option value="neighbours">My neighbours on the ladder</option>
      </SelectField>
      <div className="field-grid">
        <SelectField label="Probability of a wrong verdict" value={form.alpha} onChange={set('alpha')}>
          <option value="0.01">1 %</option>
          <option value="0.05">5 %</option>
          <option value="0.1">10 %</option>
        </SelectField>
        <TextField
          label="Difference that matters"
          type="number"
          min={0.1}
          max={1000}
          step="any"
          hint="Big blinds per 100 hands"
          value={form.margin}
          onChange={set('margin')}
        />
        <TextField
          label="Budget"
          type="number"
          min={600}
          max={2_000_000}
          hint={handsLeft === undefined ? 'Hands' : `Hands; ${formatNumber(handsLeft)} are left to you within 24 hours`}
          value={form.maxHands}
          onChange={set('maxHands')}
        />
      </div>
      <SubmitButton busy={start.isPending} label="Start the trial" busyLabel="Starting..." />
    </Form>
  );
}
