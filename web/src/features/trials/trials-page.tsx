import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { PageNumbers } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import type { TrialSummary } from '../../lib/types.ts';
import { TrialForm } from './trial-form.tsx';
import { estimateText, type NameOf, TrialBadge, useSubmissionNames } from './trial-text.tsx';

const PAGE_SIZE = 20;

/** Shows /trials: the form of a trial, and those of the user. */
export function TrialsPage() {
  const [page, setPage] = useState(1);
  const nameOf = useSubmissionNames();
  const trials = useQuery({
    queryKey: [...queryKeys.trials, page],
    queryFn: ({ signal }) => api.get('/trials', { query: { page, page_size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_OWN_JOBS_MS,
  });
  const { data } = trials;
  return (
    <Page
      title="Is my new version better?"
      before={<BackLink to="/submission">Submissions</BackLink>}
      lead="A trial plays two of your versions in the same seats, with the same cards, against the same opponents, until a test decides."
    >
      <div className="columns columns-lead">
        <Panel title="My trials" flush>
          <QueryState what="your trials" query={trials} padded />
          {data?.trials.length === 0 && (
            <EmptyState title="No trial yet" text="Choose two versions: the first one is the new one." />
          )}
          {data && data.trials.length > 0 && (
            <>
              <Trials trials={data.trials} nameOf={nameOf} />
              <PageNumbers
                noun="trials"
                page={data.page}
                pageSize={PAGE_SIZE}
                total={data.total_count}
                onPage={setPage}
              />
            </>
          )}
        </Panel>
        <Panel title="New trial">
          <TrialForm handsLeft={data?.hands_left} />
        </Panel>
      </div>
    </Page>
  );
}

function Trials({ trials, nameOf }: { trials: TrialSummary[]; nameOf: NameOf }) {
  const columns: Column<TrialSummary>[] = [
    {
      label: 'Trial',
      brief: true,
      cell: ({ trial_id, a, b }) => (
        <Link to={`/trials/${trial_id}`}>
          {nameOf(a)} against {nameOf(b)}
        </Link>
      ),
    },
    { label: 'Result', brief: true, cell: (trial) => <TrialBadge trial={trial} /> },
    { label: 'A less B', cell: (trial) => estimateText(trial) },
    { label: 'Hands', align: 'end', cell: ({ hands }) => <span className="mono-number">{formatNumber(hands)}</span> },
    { label: 'Started', cell: ({ created_at }) => formatTime(created_at) },
  ];
  return (
    <Table
      caption="My trials"
      columns={columns}
      rows={trials}
      rowKey={({ trial_id }) => trial_id}
      foldedAs={({ created_at }) => `the trial of ${formatTime(created_at)}`}
    />
  );
}
