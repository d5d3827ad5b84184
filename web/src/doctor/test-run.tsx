import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { ErrorBox, Loading } from '../components/feedback.tsx';
import { isFinishedJob, isOpenJob, JobState } from '../components/job-table.tsx';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { botReportPath } from '../lib/matches.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { Doctor, FailedMatch, useMatchStatus } from './doctor.tsx';

type Props = { jobId: string; username: string; onRunAgain: (jobId: string) => void };

/** Follows a match until it ends, then says how the user's bot did. */
export function TestRun({ jobId, username, onRunAgain }: Props) {
  const client = useQueryClient();
  const status = useMatchStatus(jobId);
  const ended = status.data !== undefined && !isOpenJob(status.data.job_status);
  useEffect(() => {
    if (ended) void client.invalidateQueries({ queryKey: queryKeys.ownJobs });
  }, [ended, client]);

  if (status.isPending) return <Loading inline />;
  if (status.isError) {
    if (isApiError(status.error, 403, 404)) return <p className="muted">This match was deleted or is private now.</p>;
    return (
      <ErrorBox text={messageOf(status.error, 'Failed to load the match.')} onRetry={() => void status.refetch()} />
    );
  }
  if (!ended) return <JobState status={status.data.job_status} progress={status.data} />;
  if (!isFinishedJob(status.data.job_status)) return <FailedMatch status={status.data} />;
  return <LoadedDoctor jobId={jobId} username={username} onRunAgain={onRunAgain} />;
}

function LoadedDoctor({ jobId, username, onRunAgain }: Props) {
  const report = useQuery({
    queryKey: queryKeys.botReport(jobId, username),
    queryFn: ({ signal }) => api.get('/live/job/{id}/bots/{username}', { params: { id: jobId, username }, signal }),
  });
  if (report.isPending) return <Loading inline />;
  if (report.isError) {
    return (
      <ErrorBox text={messageOf(report.error, 'Failed to load the report.')} onRetry={() => void report.refetch()} />
    );
  }
  return (
    <Doctor report={report.data} onRunAgain={onRunAgain}>
      <Link to={botReportPath(jobId, username)}>Full report</Link>
    </Doctor>
  );
}
