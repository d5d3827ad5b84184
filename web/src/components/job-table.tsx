import { Link } from 'react-router';
import { shortId } from '../lib/format.ts';
import type { AdminJob, JobFaults, JobProgress, ResultData } from '../lib/types.ts';
import { Badge, StatusBadge } from './badge.tsx';
import { BotResult, FaultLine } from './bot-faults.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { type Column, Table } from './table.tsx';
import './table.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../lib/api.ts';
import { messageOf } from '../lib/api-error.ts';
import { invalidateJobs } from '../lib/query-keys.ts';
import { ConfirmDialog } from './dialog.tsx';
import { useJobRequeue } from './job-requeue.tsx';
import { Name } from './name.tsx';
import { toast } from './toasts.tsx';

type Props = {
  caption: string;
  jobs: AdminJob[];
  /** Columns before the actions. */
  extra?: Column<AdminJob>[];
  /** For scaling jobs, which are not matches: without links and delete buttons. */
  plain?: boolean;
};

export const statusOf = (job: AdminJob) => job.status ?? job.job_status;

/** Lists jobs for admins: Job ID, Status, Match, User, Result/Error, the columns of the page, Actions. */
export function JobTable({ caption, jobs, extra = [], plain = false }: Props) {
  const deletion = useJobDeletion();
  const requeue = useJobRequeue();
  const columns: Column<AdminJob>[] = [
    {
      label: 'Job ID',
      cell: (job) => (
        <span className="job-id">
          {plain ? <span title={job.job_id}>{shortId(job.job_id)}</span> : <JobLink jobId={job.job_id} />}
          <CopyButton text={job.job_id} label="Copy job ID" iconOnly />
        </span>
      ),
    },
    {
      label: 'Status',
      brief: true,
      cell: (job) => (
        <>
          <JobState status={statusOf(job)} progress={job} />
          {job.stuck_reason && <p className="negative">{job.stuck_reason}</p>}
          {job.waiting_reason && <p className="muted">{job.waiting_reason}</p>}
        </>
      ),
    },
    ...(plain ? [] : [{ label: 'Match', cell: (job: AdminJob) => <MatchOf job={job} /> }]),
    { label: 'User', cell: (job) => (job.username ? <Name name={job.username} /> : '—') },
    {
      label: 'Result/Error',
      cell: (job) => (
        <JobOutcome status={statusOf(job)} error={job.error_message} results={job.result_data} {...faultsOf(job)} />
      ),
    },
    ...extra,
  ];
  if (!plain) {
    columns.push({
      label: 'Actions',
      cell: (job) => (
        <div className="cell-actions">
          {job.stuck_reason && (
            <Button
              variant="secondary"
              small
              aria-label={`Requeue job ${job.job_id}`}
              onClick={() => requeue.ask({ jobId: job.job_id, reason: job.stuck_reason ?? '' })}
            >
              Requeue
            </Button>
          )}
          <Button
            variant="danger"
            small
            aria-label={`Delete job ${job.job_id}`}
            onClick={() => deletion.ask({ jobId: job.job_id, status: statusOf(job) })}
          >
            Delete
          </Button>
        </div>
      ),
    });
  }

  return (
    <>
      <Table
        caption={caption}
        columns={columns}
        rows={jobs}
        rowKey={(job) => job.job_id}
        {...(plain ? {} : { foldedAs: (job: AdminJob) => `job ${shortId(job.job_id)}` })}
      />
      {deletion.dialog}
      {requeue.dialog}
    </>
  );
}

/** Shows the batch of a match, or what else it is, and its players while they have no results. */
function MatchOf({
  job: { kind, batch_number: batch, game_number: game, players = [], result_data: results },
}: {
  job: AdminJob;
}) {
  const noResults = Object.keys(results ?? {}).length === 0;
  return (
    <>
      {batch ? (
        <Link to={`/batches/${batch}`}>
          Batch {batch}, match {game}
        </Link>
      ) : (
        <span>{kind === 'test' ? 'Test run' : 'Single match'}</span>
      )}
      {noResults && <p className="muted breakable">{players.join(', ')}</p>}
    </>
  );
}

/** Links to a job's page, labelled with the start of its id. */
export function JobLink({ jobId }: { jobId: string }) {
  return (
    <Link to={`/games/${encodeURIComponent(jobId)}`} title={jobId} aria-label={`Job ${jobId}`}>
      {shortId(jobId)}
    </Link>
  );
}

/** Shows a job's status with its queue position or its progress if the response has them. */
export function JobState({
  status,
  progress,
  own,
}: {
  status: string;
  progress: JobProgress & JobFaults;
  own?: string | undefined;
}) {
  const { queue_position: place, hands_done: done, num_rounds: total } = progress;
  const running = status.toLowerCase() === 'running';
  const hasProgress = running && typeof done === 'number' && typeof total === 'number' && total > 0;
  return (
    <div className="job-progress">
      <span>
        <JobBadge status={status} own={own} {...faultsOf(progress)} />
      </span>
      {status.toLowerCase() === 'pending' && typeof place === 'number' && place > 0 && (
        <span>Number {place} in the queue</span>
      )}
      {hasProgress && (
        <>
          <progress value={done} max={total} aria-label="Hands played" />
          <span className="mono-number">
            {done} of {total} hands
          </span>
        </>
      )}
    </div>
  );
}

/** Returns the fault fields of a row for the cells that show them. */
export function faultsOf({ faults, no_contest: noContest }: JobFaults): JobFaults {
  return { ...(faults ? { faults } : {}), no_contest: noContest ?? false };
}

/** Shows a job's status; a finished job without a contest, or with faults of the own bot, is red. */
export function JobBadge({
  status,
  own,
  faults,
  no_contest: noContest,
}: JobFaults & { status: string; own?: string | undefined }) {
  const failed = noContest === true || (own !== undefined && (faults?.[own]?.summary ?? '') !== '');
  return failed && isFinishedJob(status) ? (
    <Badge color="red">{noContest ? 'No contest' : 'Finished with faults'}</Badge>
  ) : (
    <StatusBadge status={status} />
  );
}

type OutcomeProps = JobFaults & {
  status: string;
  error: string | null | undefined;
  results: ResultData | null | undefined;
  /** The current user; what failed in their bot is shown beside the outcome. */
  own?: string | undefined;
};

/** Shows a job's outcome: each player's money and the bots' faults, the error, or a dash while it is open. */
export function JobOutcome({ status, error, results, own, ...found }: OutcomeProps) {
  if (status.toLowerCase() === 'failed') return <span className="negative breakable">{error || 'Unknown error'}</span>;
  const entries = Object.entries(results ?? {}).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return <span className="muted">—</span>;
  return (
    <>
      <ul className="results">
        {entries.map(([username, delta]) => (
          <li key={username}>
            <Name name={username} /> <BotResult username={username} delta={delta} {...found} />
          </li>
        ))}
      </ul>
      {entries
        .filter(([username]) => username !== own)
        .map(([username]) => (
          <FaultLine key={username} who={username} faults={found.faults?.[username]} />
        ))}
    </>
  );
}

/** Returns whether a job has not ended yet. */
export function isOpenJob(status: string): boolean {
  return ['pending', 'running'].includes(status.toLowerCase());
}

export function isFinishedJob(status: string): boolean {
  return ['finished', 'completed'].includes(status.toLowerCase());
}

export type JobToDelete = { jobId: string; status: string; name?: string };

/** Deletes jobs after a confirmation: `ask` opens the dialog, which the page must render. */
export function useJobDeletion() {
  const client = useQueryClient();
  const [toDelete, setToDelete] = useState<JobToDelete | null>(null);
  const removal = useMutation({
    mutationFn: ({ jobId }: JobToDelete) => api.delete('/sim/job/{id}', { params: { id: jobId } }),
    onSuccess: () => toast.success('Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setToDelete(null);
      return invalidateJobs(client);
    },
  });
  const dialog = (
    <ConfirmDialog
      open={toDelete !== null}
      title="Delete job"
      confirmLabel="Delete job"
      busy={removal.isPending}
      onConfirm={() => toDelete && removal.mutate(toDelete)}
      onCancel={() => setToDelete(null)}
    >
      <p>
        Are you sure you want to delete this job?{' '}
        {toDelete && isOpenJob(toDelete.status) && 'It has not ended yet and will be stopped. '}
        Its hands and results are deleted too.
      </p>
      <p className="muted">{[toDelete?.name, toDelete?.jobId].filter(Boolean).join(', ')}</p>
    </ConfirmDialog>
  );
  return { ask: setToDelete, dialog };
}
