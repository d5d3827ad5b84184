import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Page, Panel, Stats } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
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

/** Report on a bot's behaviour in a match, for its owner and admins. */
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
      {report.isError && (
        <ErrorBox
          text={
            isApiError(report.error, 404)
              ? 'There is no report of this bot. It comes when the match has been played.'
              : messageOf(report.error, 'Failed to load the report.')
          }
          onRetry={() => void report.refetch()}
        />
      )}
      {report.data && <LoadedReport report={report.data} />}
    </Page>
  );
}

function LoadedReport({ report }: { report: BotReport }) {
  const failed = report.faults.reduce((sum, { count }) => sum + count, 0);
  const { bank_ms: bank, bank_used_ms: used } = report;
  return (
    <>
      <Panel title="Figures">
        {report.stopped && (
          <p className="negative breakable">
            {report.stopped.kind === 'startup' ? 'The bot never started' : 'The bot did not play to the end'}
            {report.stopped.text === '' ? '.' : `: ${report.stopped.text}`}
          </p>
        )}
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
      <TimesPanel times={report.times} />
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
