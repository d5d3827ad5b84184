import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { faultsOf, isFinishedJob, isOpenJob, JobLink, JobOutcome, JobState } from '../../components/job-table.tsx';
import { Panel, Stats } from '../../components/page.tsx';
import { PagedRows, RefreshButton } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { FaultSentence } from '../../doctor/fault-sentence.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { saveText } from '../../lib/download.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { botReportPath } from '../../lib/matches.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import type { BotLog, PlayedJob } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';

export function MyJobs() {
  const client = useQueryClient();
  const { user } = useSession();
  const [toDelete, setToDelete] = useState<PlayedJob | null>(null);
  const jobs = usePagedList({
    queryKey: queryKeys.ownJobs,
    fetch: (paging, signal) => api.getList('/sim/played', { query: { ...paging, role: 'any' }, signal }),
    refetchInterval: POLL_OWN_JOBS_MS,
  });
  const removal = useMutation({
    mutationFn: (job: PlayedJob) => api.delete('/sim/job/{id}', { params: { id: job.job_id } }),
    onSuccess: (_response, job) => toast.success(isOpenJob(job.job_status) ? 'Job cancelled.' : 'Job deleted.'),
    onError: (error) => toast.error(`Failed to delete job: ${messageOf(error)}`),
    onSettled: () => {
      setToDelete(null);
      return client.invalidateQueries({ queryKey: queryKeys.ownJobs });
    },
  });

  const columns: Column<PlayedJob>[] = [
    { label: 'Job ID', cell: (job) => <JobLink jobId={job.job_id} /> },
    { label: 'Status', cell: (job) => <JobState status={job.job_status} progress={job} own={user?.username} /> },
    {
      label: 'Result/Error',
      cell: (job) => <OwnOutcome job={job} username={user?.username ?? ''} />,
    },
    {
      label: 'Actions',
      cell: (job) => (
        <div className="cell-actions">
          <CopyButton text={job.job_id} label="Copy job ID" iconOnly />
          {user && isFinishedJob(job.job_status) && playsIn(job, user.username) && (
            <Link to={botReportPath(job.job_id, user.username)} aria-label={`Your bot in job ${job.job_id}`}>
              Your bot
            </Link>
          )}
          {user && !isOpenJob(job.job_status) && playsIn(job, user.username) && (
            <BotLogButton jobId={job.job_id} username={user.username} />
          )}
          {job.started_by_user && isOpenJob(job.job_status) && (
            <Button variant="danger" small aria-label={`Cancel job ${job.job_id}`} onClick={() => setToDelete(job)}>
              Cancel
            </Button>
          )}
        </div>
      ),
    },
  ];

  return (
    <Panel title="My Jobs" flush actions={<RefreshButton list={jobs} label="Refresh Jobs" />}>
      <p className="visually-hidden" role="status">
        {summary(jobs.query.data?.items, jobs.query.data?.total)}
      </p>
      <PagedRows list={jobs} noun="jobs" empty="No jobs submitted yet">
        {(rows) => <Table caption="My Jobs" columns={columns} rows={rows} rowKey={(job) => job.job_id} />}
      </PagedRows>
      <ConfirmDialog
        open={toDelete !== null}
        title="Cancel job"
        confirmLabel="Cancel job"
        cancelLabel="Keep it running"
        busy={removal.isPending}
        onConfirm={() => toDelete && removal.mutate(toDelete)}
        onCancel={() => setToDelete(null)}
      >
        <p>Are you sure you want to cancel this job? It is stopped and removed from your list.</p>
      </ConfirmDialog>
    </Panel>
  );
}

const playsIn = ({ players }: PlayedJob, username: string) => players?.includes(username) ?? false;

/** Shows the rank of the user's bot, each player's money, and what failed in the user's bot. */
function OwnOutcome({ job, username }: { job: PlayedJob; username: string }) {
  return (
    <div className="stack-tight">
      {job.against && job.against !== 'house' && <p>Against: {job.against}</p>}
      {typeof job.rank === 'number' && (
        <p>
          Rank {job.rank} of {job.players?.length}
        </p>
      )}
      <JobOutcome
        status={job.job_status}
        error={job.error}
        results={job.result_data}
        own={username}
        {...faultsOf(job)}
      />
      <FaultSentence jobId={job.job_id} username={username} faults={job.faults?.[username]} />
    </div>
  );
}

function summary(jobs: PlayedJob[] | undefined, total = 0): string {
  if (!jobs) return '';
  const open = jobs.filter((job) => isOpenJob(job.job_status)).length;
  return `${total} jobs, ${open} of those shown have not ended yet`;
}

/** Opens the output of the user's own bot in a match, with its verdict and resource usage. */
function BotLogButton({ jobId, username }: { jobId: string; username: string }) {
  const [log, setLog] = useState<BotLog | null>(null);
  const [busy, setBusy] = useState(false);

  const open = async () => {
    setBusy(true);
    try {
      setLog(await api.get('/live/job/{id}/log/{username}', { params: { id: jobId, username } }));
    } catch (error) {
      toast.error(
        isApiError(error, 404) ? 'This match has no log of your bot.' : `Failed to fetch log. ${messageOf(error)}`,
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button variant="ghost" small aria-label={`Bot log of job ${jobId}`} disabled={busy} onClick={() => void open()}>
        Bot log
      </Button>
      <Dialog
        open={log !== null}
        title="Bot log"
        wide
        onClose={() => setLog(null)}
        actions={
          <Button variant="secondary" onClick={() => saveText(log?.log ?? '', `bot_log_${jobId}.txt`)}>
            Download
          </Button>
        }
      >
        {log && <BotLogView log={log} />}
      </Dialog>
    </>
  );
}

function BotLogView({ log }: { log: BotLog }) {
  return (
    <div className="stack">
      <Stats
        items={[
          { label: 'Faults', value: log.faults },
          { label: 'CPU time', value: `${formatNumber(Math.round(log.cpu_ms))} ms`, text: true },
          { label: 'Peak memory', value: formatBytes(log.peak_memory_kib * 1024), text: true },
        ]}
      />
      {log.verdict && <p className="negative breakable">{log.verdict}</p>}
      {log.notes.length > 0 && (
        <>
          <h3>Notes of the platform</h3>
          <CodeView text={log.notes.join('\n')} label="Notes of the platform" />
          <h3>Output of your bot</h3>
        </>
      )}
      {log.log === '' ? (
        <p className="muted">Your bot printed nothing.</p>
      ) : (
        <CodeView text={log.log} label="Bot log" />
      )}
    </div>
  );
}
