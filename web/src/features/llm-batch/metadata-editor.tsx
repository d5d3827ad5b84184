import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { LoadError } from '../../components/error-box.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { NewerVersion } from '../../components/newer-version.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { invalidateJobs } from '../../lib/stale-lists.ts';
import { parseMetadata } from './batch-rules.ts';
import { metadataTemplate, metadataWarnings } from './metadata-schema.ts';

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
