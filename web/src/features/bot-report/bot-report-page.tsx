import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { isFinishedJob, isOpenJob, JobState } from '../../components/job-table.tsx';
import { BackLink, Page, Panel, Stats } from '../../components/page.tsx';
import { Doctor, FailedMatch, useMatchStatus } from '../../doctor/doctor.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { saveText } from '../../lib/download.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { BotReport } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { formatMs, TimesPanel } from './decision-times.tsx';
import { FaultPanels } from './fault-panels.tsx';
import './bot-report.css';
import { botReportPath } from '../../lib/matches.ts';

/** Shows the report on a bot in a match, for its owner and admins. */
export function BotReportPage() {
  const { jobId = '', username = '' } = useParams();
  const { user } = useSession();
  const report = useQuery({
    queryKey: queryKeys.botReport(jobId, username),
    queryFn: ({ signal }) => api.get('/live/job/{id}/bots/{username}', { params: { id: jobId, username }, signal }),
  });
  const own = user?.username.toLowerCase() === username.toLowerCase();
  return (
    <Page
      title={own ? 'Your bot' : `Bot of ${username}`}
      lead={`In game ${jobId}`}
      before={<BackLink to={`/games/${encodeURIComponent(jobId)}`}>Back to the match</BackLink>}
    >
      {report.isPending && <Loading inline />}
      {report.isError && !isApiError(report.error, 404) && (
        <ErrorBox text={messageOf(report.error, 'Failed to load the report.')} onRetry={() => void report.refetch()} />
      )}
      {isApiError(report.error, 404) && (
        <Panel title="What happened">
          <NoReport jobId={jobId} onReport={() => void report.refetch()} />
        </Panel>
      )}
      {report.data && <LoadedReport report={report.data} />}
    </Page>
  );
}

/** Says why a match has no report. Follows a match that is still played. */
function NoReport({ jobId, onReport }: { jobId: string; onReport: () => void }) {
  const status = useMatchStatus(jobId);
  const ended = status.data !== undefined && !isOpenJob(status.data.job_status);
  const finished = isFinishedJob(status.data?.job_status ?? '');
  const load = useEffectEvent(onReport);
  useEffect(() => {
    if (finished) load();
  }, [finished]);

  if (status.isPending) return <Loading inline />;
  if (status.isError) return <p>There is no report of this bot. Its match was deleted or is private.</p>;
  if (!ended) {
    return (
      <>
        <p>There is no report of this bot yet. It appears here when the match has been played.</p>
        <JobState status={status.data.job_status} progress={status.data} />
      </>
    );
  }
  return finished ? <p>There is no report of this bot in this match.</p> : <FailedMatch status={status.data} />;
}

function LoadedReport({ report }: { report: BotReport }) {
  const navigate = useNavigate();
  const failed = report.faults.reduce((sum, { count }) => sum + count, 0);
  const { bank_ms: bank, bank_used_ms: used } = report;
  return (
    <>
      <Panel title="What happened">
        <Doctor report={report} onRunAgain={(jobId) => void navigate(botReportPath(jobId, report.username))} />
      </Panel>
      <Panel title="Figures">
        <Stats
          items={[
            { label: 'Hands', value: formatNumber(report.hands) },
            { label: 'Decisions', value: formatNumber(report.decisions) },
            { label: 'Failed decisions', value: formatNumber(failed) },
            {
              label: 'Bank used',
              value: bank === null || used === null ? '—' : `${formatMs(used)} of ${formatMs(bank)}`,
              text: true,
            },
            { label: 'Peak memory', value: formatBytes(report.peak_memory_kib * 1024), text: true },
            { label: 'CPU time', value: formatMs(report.cpu_ms), text: true },
          ]}
        />
      </Panel>
      <FaultPanels report={report} />
      <TimesPanel report={report} />
      {report.notes.length > 0 && (
        <Panel title="Notes of the platform">
          <CodeView text={report.notes.join('\n')} label="Text of the notes" />
        </Panel>
      )}
      <Panel
        title="Output"
        actions={
          report.log !== '' && (
            <Button
              variant="secondary"
              small
              onClick={() => saveText(report.log, `bot_log_${report.job_id}_${report.username}.txt`)}
            >
              Download
            </Button>
          )
        }
      >
        {report.log === '' ? (
          <p className="muted">The bot printed nothing.</p>
        ) : (
          <CodeView text={report.log} label="Output of the bot" />
        )}
      </Panel>
    </>
  );
}
