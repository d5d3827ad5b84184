import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../components/button.tsx';
import {
  CheckField,
  Form,
  SelectField,
  SubmitButton,
  TextAreaField,
  TextField,
  TimeField,
} from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Tournament } from '../../lib/types.ts';
import { firstStages, StageFields } from './stage-fields.tsx';

const templates = {
  official: 'Official: matches of 1,000 hands, ranked by winnings',
  quick: 'Quick: about 30 minutes',
  researcher: 'Researcher’s: duplicate play, a final with a stopping rule',
  own: 'Stages of its own',
} as const;
type Template = Exclude<keyof typeof templates, 'own'>;

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);

/** Creates a tournament, or changes one whose entries are open (`of`). `copy`: starts from its values. */
export function TournamentForm({ of, copy, onCancel }: { of?: Tournament; copy?: Tournament; onCancel: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const from = of ?? copy;
  const [form, setForm] = useState({
    name: from?.name ?? '',
    slug: of?.slug ?? '',
    description: from?.description ?? '',
    prize: from?.prize ?? '',
    entry_deadline: of?.entry_deadline ?? '',
    starts_at: of?.starts_at ?? '',
    template: from ? (from.template ?? 'own') : 'official',
    entry_list: from?.entry_list.join(' ') ?? '',
    ceremony: from?.ceremony ?? false,
  });
  const [stages, setStages] = useState(() => from?.stages.map(({ spec }) => spec) ?? firstStages);
  const change = (more: Partial<typeof form>) => setForm({ ...form, ...more });
  const slug = form.slug || slugOf(form.name);
  const save = useMutation({
    mutationFn: () => {
      const { template, entry_list, starts_at, ...rest } = form;
      const own = template === 'own' ? { stages: [...stages] } : {};
      const body = {
        ...rest,
        ...own,
        slug,
        starts_at: starts_at || null,
        entry_list: entry_list.split(/[\s,]+/).filter((name) => name !== ''),
        ...(template === 'own' ? {} : { template: template as Template }),
      };
      if (!of) return api.post('/tournaments', { body });
      return api.post('/tournaments/{slug}', {
        params: { slug: of.slug },
        body: { ...body, expected_version: of.version },
      });
    },
    onSuccess: async ({ slug: saved }) => {
      await client.invalidateQueries({ queryKey: queryKeys.tournaments });
      onCancel();
      await navigate(`/tournaments/${saved}`);
    },
  });
  const missing = form.name.trim() === '' || form.entry_deadline === '';
  return (
    <Form onSubmit={() => !missing && save.mutate()} error={save.isError ? messageOf(save.error) : ''}>
      <TextField label="Name" required value={form.name} onChange={({ target }) => change({ name: target.value })} />
      <TextField
        label="Address"
        value={form.slug}
        placeholder={slug}
        hint={`/tournaments/${slug || '…'}`}
        onChange={({ target }) => change({ slug: target.value })}
      />
      <TimeField
        label="Entry deadline"
        value={form.entry_deadline}
        onTime={(entry_deadline) => change({ entry_deadline })}
      />
      <TimeField
        label="Start (empty: at the deadline)"
        value={form.starts_at}
        onTime={(starts_at) => change({ starts_at })}
      />
      <SelectField
        label="Stages"
        value={form.template}
        hint="Its page states matches and hands; they can be changed until the deadline."
        onChange={({ target }) => change({ template: target.value })}
      >
        {Object.entries(templates).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {form.template === 'own' && <StageFields stages={stages} onStages={setStages} />}
      <TextField
        label="Entrants (empty: everybody with a final submission)"
        value={form.entry_list}
        hint="Usernames, with spaces between them"
        onChange={({ target }) => change({ entry_list: target.value })}
      />
      <TextAreaField
        label="Description"
        rows={3}
        value={form.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      <TextField label="Prize" value={form.prize} onChange={({ target }) => change({ prize: target.value })} />
      <CheckField
        label="Ceremony: the last stage is hidden until an admin reveals it, place by place"
        checked={form.ceremony}
        onCheck={(ceremony) => change({ ceremony })}
      />
      <div className="cluster">
        <SubmitButton
          busy={save.isPending || missing}
          label={of ? 'Save' : 'Create tournament'}
          busyLabel={missing ? 'Create tournament' : 'Saving…'}
        />
        <Button variant="secondary" onClick={onCancel}>
          Close
        </Button>
      </div>
    </Form>
  );
}
