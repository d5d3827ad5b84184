import { Link } from 'react-router';
import { isFinishedJob, JobState } from '../../components/job-table.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { FaultSentence } from '../../doctor/fault-sentence.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta, formatTime } from '../../lib/format.ts';
import { botReportPath, jobTitle } from '../../lib/matches.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PlayedJob } from '../../lib/types.ts';

const PAGE_SIZE = 10;

/** Lists every match that a user's bot plays or has played, newest first. For the user and admins. */
export function PlayedMatches({ username }: { username: string }) {
  const matches = usePagedList({
    queryKey: queryKeys.playedMatches(username),
    pageSize: PAGE_SIZE,
    fetch: (paging, signal) => api.getList('/sim/played', { query: { ...paging, username }, signal }),
  });
  const columns: Column<PlayedJob>[] = [
    {
      label: 'Match',
      cell: (job) => <Link to={`/games/${job.job_id}`}>{job.kind === 'test' ? 'Test run' : jobTitle(job)}</Link>,
    },
    { label: 'Date', cell: (job) => formatTime(job.completed_at ?? job.created_at) },
    { label: 'Result', cell: (job) => <Result job={job} username={username} /> },
    { label: 'Faults', cell: (job) => <Faults job={job} username={username} /> },
  ];
  return (
    <Panel title="Matches" flush>
      <PagedRows list={matches} noun="matches" empty="No matches yet">
        {(rows) => <Table caption="Matches" columns={columns} rows={rows} rowKey={(job) => job.job_id} />}
      </PagedRows>
    </Panel>
  );
}

type CellProps = { job: PlayedJob; username: string };

function Result({ job, username }: CellProps) {
  if (!isFinishedJob(job.job_status) || typeof job.rank !== 'number' || typeof job.delta !== 'number') {
    return <JobState status={job.job_status} progress={job} own={username} />;
  }
  return (
    <>
      Rank {job.rank} of {job.players?.length},{' '}
      <span className={`mono-number ${deltaClass(job.delta)}`}>{formatDelta(job.delta)}</span>
    </>
  );
}

function Faults({ job, username }: CellProps) {
  if (job.error) return <span className="negative breakable">{job.error}</span>;
  if (!isFinishedJob(job.job_status)) return '—';
  if (job.faults?.[username]?.summary) {
    return <FaultSentence jobId={job.job_id} username={username} faults={job.faults[username]} />;
  }
  return <Link to={botReportPath(job.job_id, username)}>{job.faults ? 'None' : 'Report'}</Link>;
}
