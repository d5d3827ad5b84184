import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { LoadError, Loading, NewerVersion } from '../../components/feedback.tsx';
import { TextAreaField } from '../../components/form.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { invalidateJobs, queryKeys } from '../../lib/query-keys.ts';
import { parseMetadata } from './batch-rules.ts';

function formatMetadata(value: Record<string, unknown>): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}

/** Shows a batch's metadata and edits a copy that polls do not overwrite. */
export function MetadataEditor({ batchId, users }: { batchId: string; users: readonly string[] }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<string | null>(null);
  // Id of the metadata that the draft started from, '' for none: the server refuses to overwrite newer metadata.
  const [basedOn, setBasedOn] = useState('');
  const metadata = useQuery({
    queryKey: queryKeys.batchMetadata(batchId),
    queryFn: ({ signal }) => api.get('/llm/batch/{id}/metadata', { params: { id: batchId }, signal }),
  });
  const save = useMutation({
    mutationFn: (value: Record<string, unknown>) =>
      api.post('/llm/batch/{id}/metadata', {
        params: { id: batchId },
        query: { expected_metadata_id: basedOn },
        sendEmpty: true,
        body: value,
      }),
    onSuccess: (response) => {
      toast.success(`Metadata saved; ${response.batch_entries_updated} entries updated.`);
      setDraft(null);
    },
    onError: (error) => toast.error(`Failed to update metadata: ${messageOf(error)}`),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.batchMetadata(batchId) }),
        client.invalidateQueries({ queryKey: queryKeys.batches }),
        invalidateJobs(client),
      ]),
  });

  if (metadata.isPending) return <Loading inline />;
  if (metadata.isError) {
    return <LoadError what="metadata" query={metadata} />;
  }
  const current = metadata.data.batch_metadata;
  const newest = metadata.data.metadata_id ?? '';
  const edit = () => {
    setBasedOn(newest);
    setDraft(formatMetadata(current));
  };
  if (draft === null) {
    return (
      <div className="stack">
        <pre className="metadata">{formatMetadata(current) || 'No metadata'}</pre>
        <p className="muted">{metadata.data.batch_entries_count} entries carry it.</p>
        <div>
          <Button small variant="secondary" onClick={edit}>
            Edit Metadata
          </Button>
        </div>
      </div>
    );
  }

  const { value, error } = parseMetadata(draft);
  const warnings = value === null ? [] : metadataWarnings(value, users);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(value ?? {});
      }}
    >
      {newest !== basedOn && !save.isPending && <NewerVersion what="metadata" onLoad={edit} />}
      <TextAreaField
        label="Metadata (JSON)"
        rows={10}
        spellCheck={false}
        value={draft}
        error={error}
        hint="A JSON object; batch_number, a whole number from 1, is shown as the batch's number everywhere. Empty is valid."
        onChange={(event) => setDraft(event.target.value)}
      />
      <div role="status">
        {warnings.length > 0 && (
          <ul className="muted" aria-label="Differences from the suggested schema">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="cluster">
        <Button type="submit" small disabled={error !== '' || save.isPending}>
          {save.isPending ? 'Saving...' : 'Save'}
        </Button>
        <Button
          small
          variant="ghost"
          disabled={error !== ''}
          onClick={() => setDraft(formatMetadata(metadataTemplate(value ?? {}, users)))}
        >
          Insert template
        </Button>
        <a href="/batch-metadata.schema.json">Suggested schema</a>
        <Button small variant="ghost" onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isDay = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
const isCost = (value: unknown) => typeof value === 'number' && value >= 0;

/** Returns the metadata with an entry for each user that has none. */
export function metadataTemplate(metadata: Json, users: readonly string[]): Json {
  const bots = isObject(metadata.bots) ? metadata.bots : {};
  const empty = { model: { name: '', version: '', provider: '' }, prompt: '', cost_usd: 0, created_on: '' };
  return { ...metadata, bots: { ...Object.fromEntries(users.map((user) => [user, empty])), ...bots } };
}

/**
 * Returns a sentence for each part that differs from the suggested schema, web/public/batch-metadata.schema.json; exports contain the parts that
 * follow it. Metadata without `bots` has none.
 */
export function metadataWarnings(metadata: Json, users: readonly string[]): string[] {
  const { bots } = metadata;
  if (bots === undefined) return [];
  if (!isObject(bots)) return ['bots is not an object with an entry for each user.'];
  return Object.entries(bots).flatMap(([user, bot]) => {
    if (!users.includes(user)) return [`${user} does not play in this batch.`];
    if (!isObject(bot)) return [`The entry of ${user} is not an object.`];
    return botWarnings(user, bot);
  });
}

function botWarnings(user: string, { model, prompt, cost_usd: cost, created_on: createdOn }: Json): string[] {
  const warnings: string[] = [];
  if (!isObject(model) || !isText(model.name)) warnings.push(`The entry of ${user} has no model.name.`);
  else {
    for (const key of ['version', 'provider']) {
      if (model[key] !== undefined && !isText(model[key])) warnings.push(`model.${key} of ${user} is not a text.`);
    }
  }
  if (prompt !== undefined && !isText(prompt)) warnings.push(`prompt of ${user} is not a text.`);
  if (cost !== undefined && !isCost(cost)) warnings.push(`cost_usd of ${user} is not a number from 0.`);
  if (createdOn !== undefined && !isDay(createdOn))
    warnings.push(`created_on of ${user} is not a day such as 2026-11-01.`);
  return warnings;
}
