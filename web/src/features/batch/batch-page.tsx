import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { DataExports } from '../../components/data-exports.tsx';
import { Downloads } from '../../components/downloads.tsx';
import { EmptyState, LoadError, Loading, Notice } from '../../components/feedback.tsx';
import { Page, Panel, usePageTitle } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { deltaClass, formatDelta, formatNumber, formatTime } from '../../lib/format.ts';
import { planSentence, playerPath } from '../../lib/matches.ts';
import { POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';
import type { PublicBatch } from '../../lib/types.ts';
import { ResultsGraph } from '../../performance/results-graph.tsx';
import { StandingsPanel } from '../../standings/standings-panel.tsx';
import { StopPanel } from './stop-panel.tsx';
import { WonFromMatrix } from './won-from-matrix.tsx';
import './batch.css';
import { MatchCards } from '../../components/match-card.tsx';
import { Name } from '../../components/name.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { usePagedList } from '../../lib/paged-list.ts';

/** Shows /batches/:number. */
export function BatchPage() {
  const { number = '' } = useParams();
  const batch = useQuery({
    queryKey: queryKeys.publicBatch(number),
    queryFn: ({ signal }) => api.get('/batches/{number}', { params: { number }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? POLL_ADMIN_MS : false),
  });
  if (batch.isPending) return <Loading text="Loading batch..." />;
  if (batch.isError) {
    // A batch that became private while it was watched is no longer shown.
    if (isApiError(batch.error, 404)) return <UnknownBatch />;
    if (batch.data === undefined) {
      return (
        <Page title="Batch">
          <LoadError what="the batch" query={batch} />
        </Page>
      );
    }
  }
  const { batch_number: now } = batch.data;
  // The response of a former number is that of the present one.
  if (String(now) !== number)
    return <Navigate to={{ pathname: `/batches/${now}`, search: window.location.search }} replace />;
  return <BatchView batch={batch.data} />;
}

function UnknownBatch() {
  usePageTitle('Batch not found');
  return (
    <Notice title="Batch not found" code="404">
      <p>There is no public batch with this number. It may be private or deleted.</p>
      <ButtonLink to="/games">Go to Games</ButtonLink>
    </Notice>
  );
}

/** Returns whether matches of the batch are still to be played. */
function isOpen({ job_statuses: counts, state }: PublicBatch): boolean {
  return (
    counts.RUNNING > 0 || (counts.PENDING > 0 && state !== 'Cancelled' && state !== 'Stopped' && state !== 'Failed')
  );
}

/** Says how far the batch is. */
function progressSentence({ matches, total_jobs: total, job_statuses: counts, created_at }: PublicBatch): string {
  const running = counts.RUNNING === 0 ? '' : `, ${formatNumber(counts.RUNNING)} running`;
  return `${formatNumber(matches)} of ${formatNumber(total)} matches are finished${running}. Started ${formatTime(created_at)}.`;
}

function BatchView({ batch }: { batch: PublicBatch }) {
  return (
    <Page
      width="wide"
      title={`Batch #${batch.batch_number}`}
      lead={`${planSentence(batch.plan, batch.users.length, batch.num_rounds)} ${progressSentence(batch)}`}
    >
      {!batch.is_public && (
        <p className="batch-private">
          This batch is private: only admins see this page until the batch is made public.
        </p>
      )}
      <BatchResults batch={batch} />
    </Page>
  );
}

function BatchResults({ batch }: { batch: PublicBatch }) {
  const { job_statuses: counts, standings, points } = batch;
  return (
    <>
      {(counts.DELETED > 0 || batch.counts.not_public > 0) && <p className="muted">{batch.counts.note}</p>}
      {counts.FAILED > 0 && (
        <p className="muted">
          {formatNumber(counts.FAILED)} {counts.FAILED === 1 ? 'match' : 'matches'}{' '}
          {batch.state === 'Stopped'
            ? 'failed or were not played: the stopping rule has ended the batch.'
            : 'failed and do not count.'}
        </p>
      )}
      {batch.matches === 0 ? (
        <EmptyState
          title="No match has finished yet"
          text="Standing and graph appear with the first result. This page updates automatically."
        />
      ) : (
        <>
          {batch.is_public && <StandingsPanel scope={{ batch: String(batch.batch_number) }} open={isOpen(batch)} />}
          <Panel title="Money won and lost">
            <div className="stack">
              <ResultsGraph
                points={points}
                lines={standings.map(({ username, curve }) => ({ name: username, values: curve }))}
              />
              <Table caption="Money won and lost" columns={COLUMNS} rows={standings} rowKey={(row) => row.username} />
            </div>
          </Panel>
          <Panel title="Who won from whom">
            <WonFromMatrix standings={standings} />
          </Panel>
          <Downloads of={{ batch: batch.batch_number }} />
          <DataExports of={{ batch: batch.batch_number }} />
        </>
      )}
      <p className="muted">
        {batch.plan_record
          ? `The plan is record ${formatNumber(batch.plan_record.number)} of the chain, from before the first seed was drawn.`
          : `This batch has ${batch.plan_note}.`}
      </p>
      {batch.stop !== null && <StopPanel stop={batch.stop} mode={batch.plan.mode} />}
      <BatchMatches batchId={batch.batch_id} isPublic={batch.is_public} />
    </>
  );
}

type Row = PublicBatch['standings'][number];

const COLUMNS: Column<Row>[] = [
  {
    label: 'Player',
    cell: (row) => (
      <Link to={playerPath(row.username)}>
        <Name name={row.username} />
      </Link>
    ),
  },
  { label: 'Matches', align: 'end', cell: (row) => formatNumber(row.matches) },
  { label: 'Won', align: 'end', cell: (row) => formatNumber(row.wins) },
  {
    label: 'A match',
    align: 'end',
    cell: (row) => {
      const mean = row.matches === 0 ? 0 : Math.round(row.delta / row.matches);
      return <span className={`mono-number ${deltaClass(mean)}`}>{formatDelta(mean)}</span>;
    },
  },
  {
    label: 'Delta Money',
    align: 'end',
    cell: (row) => <span className={`mono-number ${deltaClass(row.delta)}`}>{formatDelta(row.delta)}</span>,
  },
];

const PAGE_SIZE = 24;

/** Lists the public matches of a batch, newest first, by page. */
function BatchMatches({ batchId, isPublic }: { batchId: string; isPublic: boolean }) {
  const matches = usePagedList({
    queryKey: [...queryKeys.publicJobs, 'batch', batchId],
    pageSize: PAGE_SIZE,
    fetch: async (paging, signal) => {
      const query = { batch_id: batchId, order: 'newest' as const, ...paging };
      const found = await api.get('/live/public-job-ids/paginated', { query, signal });
      return { items: found.jobs, total: found.total_count };
    },
  });
  return (
    <Panel title="Matches" flush>
      {isPublic ? (
        <PagedRows list={matches} noun="matches" empty="No public match of this batch yet">
          {(rows) => (
            <div className="panel-body">
              {/* Without the link to this page itself. */}
              <MatchCards matches={rows.map((row) => ({ ...row, batch_is_public: false }))} />
            </div>
          )}
        </PagedRows>
      ) : (
        <p className="panel-body">
          The matches of a private batch are listed on the page <Link to="/llm-batch">LLM Batch</Link>.
        </p>
      )}
    </Panel>
  );
}
