import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { POLL_EVENT_MS, queryKeys } from '../../lib/query-keys.ts';
import type { TournamentSummary } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { stateColor, stateWord } from './states.ts';
import { TournamentForm } from './tournament-form.tsx';

/** Shows /tournaments: all tournaments, and the form of a new one for admins. */
export function TournamentsPage() {
  const { user } = useSession();
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: queryKeys.tournaments,
    queryFn: ({ signal }) => api.get('/tournaments', { signal }),
    refetchInterval: POLL_EVENT_MS,
  });
  return (
    <Page
      title="Tournaments"
      width="wide"
      lead="Final submissions are frozen at a deadline and play for the title, stage by stage."
      actions={user?.admin && !isCreating && <Button onClick={() => setCreating(true)}>New tournament</Button>}
    >
      {isCreating && (
        <Panel title="New tournament">
          <TournamentForm onCancel={() => setCreating(false)} />
        </Panel>
      )}
      <Panel title="All tournaments" flush>
        <QueryState what="the tournaments" query={list} padded />
        {list.data?.tournaments.length === 0 && (
          <EmptyState
            title="No tournament yet"
            text={user?.admin ? 'Create one: it needs a name and a deadline.' : 'The organisers have announced none.'}
          />
        )}
        {list.data && list.data.tournaments.length > 0 && (
          <Table
            caption="Tournaments"
            columns={columns}
            rows={list.data.tournaments}
            rowKey={({ slug }) => slug}
            foldedAs={({ name }) => name}
          />
        )}
      </Panel>
    </Page>
  );
}

const columns: Column<TournamentSummary>[] = [
  { label: 'Name', brief: true, cell: ({ name, slug }) => <Link to={`/tournaments/${slug}`}>{name}</Link> },
  {
    label: 'State',
    brief: true,
    cell: ({ state }) => <Badge color={stateColor[state]}>{stateWord[state]}</Badge>,
  },
  { label: 'Entry deadline', cell: ({ entry_deadline: deadline }) => formatTime(deadline) },
  {
    label: 'Entrants',
    align: 'end',
    cell: ({ entrant_count: count, state }) => (state === 'open' ? 'open' : formatNumber(count)),
  },
  { label: 'Stages', cell: ({ stages }) => stages.map(({ name }) => name).join(', ') },
  {
    label: 'Champion',
    cell: ({ champion }) => (champion === null ? '' : <Link to={`/players/${champion}`}>{champion}</Link>),
  },
];
