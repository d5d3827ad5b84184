import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { POLL_ADMIN_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Batch } from '../../lib/types.ts';
import { BatchActions } from './batch-actions.tsx';
import { BatchJobs } from './batch-jobs.tsx';
import { MetadataEditor } from './metadata-editor.tsx';

/** Whether a batch is on the leaderboard: from its row, or asked for where the row does not say; null while unknown. */
function useAllAdded(batch: Batch): boolean | null {
  const carried = typeof batch.all_added === 'boolean';
  const arena = useQuery({
    queryKey: queryKeys.batchArena(batch.batch_id),
    queryFn: ({ signal }) =>
      api.get<{ all_added: boolean }>(`/llm/batch/${encodeURIComponent(batch.batch_id)}/arena-status`, { signal }),
    enabled: !carried,
    refetchInterval: carried ? false : POLL_ADMIN_MS * 4,
  });
  return carried ? (batch.all_added ?? null) : (arena.data?.all_added ?? null);
}

export function BatchCard({ batch }: { batch: Batch }) {
  const [open, setOpen] = useState<'metadata' | 'jobs' | null>(null);
  const added = useAllAdded(batch);
  const counts = batch.job_statuses;
  const counters = [
    ['Total', batch.total_jobs, ''],
    ['Pending', counts.PENDING ?? 0, ''],
    ['Running', counts.RUNNING ?? 0, ''],
    ['Finished', counts.FINISHED ?? 0, 'positive'],
    ['Failed', counts.FAILED ?? 0, (counts.FAILED ?? 0) > 0 ? 'negative' : ''],
  ] as const;
  const name = typeof batch.batch_number === 'number' ? `Batch #${batch.batch_number}` : 'Batch';
  const toggle = (part: 'metadata' | 'jobs') => setOpen(open === part ? null : part);

  return (
    <li className="batch">
      <div className="batch-head">
        <div className="batch-title">
          <h3>{name}</h3>
          <span className="muted">{batch.batch_id}</span>
          <CopyButton text={batch.batch_id} label="Copy batch ID" iconOnly />
          <time className="muted" dateTime={batch.created_at}>
            {formatTime(batch.created_at)}
          </time>
          {added && <Badge color="green">ON LEADERBOARD</Badge>}
          {batch.paused && <Badge color="yellow">PAUSED</Badge>}
          {typeof batch.is_public === 'boolean' && (
            <Badge color={batch.is_public ? 'cyan' : 'grey'}>{batch.is_public ? 'PUBLIC' : 'PRIVATE'}</Badge>
          )}
        </div>
        <dl className="batch-counts">
          {counters.map(([label, value, tone]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className={`mono-number ${tone}`}>{formatNumber(value)}</dd>
            </div>
          ))}
        </dl>
        <BatchActions batch={batch} added={added} />
        <div className="cluster">
          <Button variant="ghost" small aria-expanded={open === 'metadata'} onClick={() => toggle('metadata')}>
            Metadata
          </Button>
          <Button variant="ghost" small aria-expanded={open === 'jobs'} onClick={() => toggle('jobs')}>
            Job Details
          </Button>
        </div>
      </div>
      {open && (
        <div className="batch-open">
          {open === 'metadata' ? <MetadataEditor batchId={batch.batch_id} /> : <BatchJobs batch={batch} />}
        </div>
      )}
    </li>
  );
}
