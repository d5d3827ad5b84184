import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ChoiceField } from '../../components/form.tsx';
import { faultsOf, JobLink, JobOutcome, JobState } from '../../components/job-table.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { usePagedList, usePagedSearch } from '../../lib/paged-list.ts';
import { POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';
import type { Batch, BatchJob } from '../../lib/types.ts';
import { BatchActions } from './batch-actions.tsx';
import { batchName, timeLeftText } from './batch-rules.ts';
import { BatchStandings } from './batch-standings.tsx';
import { MetadataEditor } from './metadata-editor.tsx';

/** Returns whether all results are on the leaderboard. Queries it only if some are. */
function useAllAdded(batch: Batch): boolean {
  const arena = useQuery({
    queryKey: queryKeys.batchArena(batch.batch_id),
    queryFn: ({ signal }) => api.get('/llm/batch/{id}/arena-status', { params: { id: batch.batch_id }, signal }),
    enabled: batch.on_leaderboard === true,
    refetchInterval: POLL_ADMIN_MS * 4,
  });
  return batch.on_leaderboard === true && (arena.data?.all_added ?? true);
}

const PARTS = { standing: 'Standing', metadata: 'Metadata', jobs: 'Job Details' } as const;
type Part = keyof typeof PARTS;

export function BatchCard({ batch }: { batch: Batch }) {
  const [open, setOpen] = useState<Part | null>(null);
  const [seenMetadata, setSeenMetadata] = useState(false);
  const allAdded = useAllAdded(batch);
  return (
    <li className="batch">
      <div className="batch-head">
        <BatchTitle batch={batch} />
        <BatchCounters batch={batch} />
        <BatchNotes batch={batch} />
        <BatchActions batch={batch} allAdded={allAdded} />
        <div className="cluster">
          {(Object.keys(PARTS) as Part[]).map((part) => (
            <Button
              key={part}
              variant="ghost"
              small
              aria-expanded={open === part}
              onClick={() => {
                setOpen(open === part ? null : part);
                if (part === 'metadata') setSeenMetadata(true);
              }}
            >
              {PARTS[part]}
            </Button>
          ))}
        </div>
      </div>
      {open === 'standing' && (
        <div className="batch-open">
          <BatchStandings batchId={batch.batch_id} />
        </div>
      )}
      {seenMetadata && (
        // Stays mounted after it was opened, so that switching to the standing does not discard the input.
        <div className="batch-open" hidden={open !== 'metadata'}>
          <MetadataEditor batchId={batch.batch_id} users={batch.users ?? []} />
        </div>
      )}
      {open === 'jobs' && (
        <div className="batch-open">
          <BatchJobs batch={batch} />
        </div>
      )}
    </li>
  );
}

function BatchTitle({ batch }: { batch: Batch }) {
  return (
    <div className="batch-title">
      <h3>Batch {batchName(batch)}</h3>
      <span className="muted">{batch.batch_id}</span>
      <CopyButton text={batch.batch_id} label="Copy batch ID" iconOnly />
      <time className="muted" dateTime={batch.created_at}>
        {formatTime(batch.created_at)}
      </time>
      {batch.state && batch.state !== 'Ready' && (
        <Badge color={batch.state === 'Failed' ? 'red' : 'yellow'}>{batch.state}</Badge>
      )}
      {batch.on_leaderboard && <Badge color="green">ON LEADERBOARD</Badge>}
      {batch.paused && <Badge color="yellow">PAUSED</Badge>}
      {batch.is_public !== undefined && (
        <Badge color={batch.is_public ? 'cyan' : 'grey'}>{batch.is_public ? 'PUBLIC' : 'PRIVATE'}</Badge>
      )}
    </div>
  );
}

function BatchCounters({ batch }: { batch: Batch }) {
  const { PENDING, RUNNING, FINISHED, FAILED, DELETED } = batch.job_statuses;
  const counters = [
    ['Total', batch.total_jobs, ''],
    ['Pending', PENDING, ''],
    ['Running', RUNNING, ''],
    ['Finished', FINISHED, 'positive'],
    ['Failed', FAILED, FAILED > 0 ? 'negative' : ''],
    ...(DELETED > 0 ? ([['Deleted', DELETED, 'negative']] as const) : []),
  ] as const;
  return (
    <dl className="batch-counts">
      {counters.map(([label, value, tone]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={`mono-number ${tone}`}>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function BatchNotes({ batch }: { batch: Batch }) {
  const { users, plan, total_jobs: total, generated_jobs: made = total } = batch;
  const generating = made < total && ['Preparing', 'Generating'].includes(batch.state ?? '');
  const notes = [
    users ? `${users.length} users` : '',
    plan?.mode === 'duplicate' ? `duplicate play, ${formatNumber(plan.tables)} deal sets` : '',
    plan?.design === 'balanced' ? `balanced design of ${formatNumber(plan.tables)} tables` : '',
    generating ? `${formatNumber(made)} of ${formatNumber(total)} jobs made` : '',
    batch.hands_per_second ? `${formatNumber(Math.round(batch.hands_per_second))} hands per second` : '',
    timeLeftText(batch.seconds_left ?? null),
  ].filter((note) => note !== '');
  return (
    <div>
      <p className="muted">{notes.join(' · ')}</p>
      {batch.problem && <p className="negative breakable">{batch.problem}</p>}
    </div>
  );
}

const STATUSES = { '': 'All', Pending: 'Pending', Running: 'Running', Finished: 'Finished', Failed: 'Failed' };

const columnsOf = (batch: Batch): Column<BatchJob>[] => [
  {
    label: 'Game',
    cell: (job) =>
      typeof job.game_number === 'number'
        ? `#${job.game_number}${job.rotation ? `, rotation ${job.rotation}` : ''}`
        : '—',
  },
  { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
  {
    label: 'Status',
    cell: (job) => (
      <JobState status={job.status} progress={{ hands_done: job.hands_done ?? 0, num_rounds: batch.num_rounds ?? 0 }} />
    ),
  },
  { label: 'Participants', cell: (job) => job.users_to_run.join(', ') },
  {
    label: 'Result/Error',
    cell: (job) => (
      <JobOutcome status={job.status} error={job.error_message} results={job.result_data} {...faultsOf(job)} />
    ),
  },
];

function BatchJobs({ batch }: { batch: Batch }) {
  const search = usePagedSearch({ status: '' });
  const { filters, query, change } = search;
  const jobs = usePagedList({
    queryKey: [...queryKeys.batchJobs(batch.batch_id), query],
    search,
    fetch: async (paging, signal) => {
      const response = await api.get('/llm/batch/{id}/jobs', {
        params: { id: batch.batch_id },
        query: { ...query, ...paging },
        signal,
      });
      return { items: response.jobs, total: response.total_count };
    },
    refetchInterval: POLL_ADMIN_MS,
  });
  return (
    <div className="stack">
      <ChoiceField label="Status" value={filters.status} choices={STATUSES} onChoose={(status) => change({ status })} />
      <PagedRows list={jobs} noun="jobs" empty="No batch jobs found">
        {(rows) => (
          <Table caption="Jobs of the batch" columns={columnsOf(batch)} rows={rows} rowKey={(job) => job.job_id} />
        )}
      </PagedRows>
    </div>
  );
}
