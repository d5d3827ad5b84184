import { Link } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta, formatTime } from '../../lib/format.ts';
import { batchPath, endText, isLive, jobPath, jobTitle } from '../../lib/matches.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PlayerMatch } from '../../lib/types.ts';

const PAGE_SIZE = 20;

/** Lists the matches of a player, newest first: public ones, and for the player private ones too. */
export function PlayerMatches({ username }: { username: string }) {
  const matches = usePagedList({
    queryKey: [...queryKeys.player(username), 'matches'],
    pageSize: PAGE_SIZE,
    fetch: async (paging, signal) => {
      const found = await api.get('/live/players/{username}/matches', { params: { username }, query: paging, signal });
      return { items: found.matches, total: found.total_count };
    },
  });
  return (
    <Panel title="Matches" flush>
      <PagedRows list={matches} noun="matches" empty="No matches yet">
        {(rows) => (
          <Table caption={`Matches of ${username}`} columns={COLUMNS} rows={rows} rowKey={(row) => row.job_id} />
        )}
      </PagedRows>
    </Panel>
  );
}

const COLUMNS: Column<PlayerMatch>[] = [
  {
    label: 'Match',
    cell: (row) => (
      <span className="cluster">
        <Link to={jobPath(row)}>{jobTitle(row)}</Link>
        {row.batch_is_public && row.batch_number !== null && <Link to={batchPath(row.batch_number)}>Batch page</Link>}
        {!row.is_public && <Badge color="grey">PRIVATE</Badge>}
      </span>
    ),
  },
  { label: 'Played', cell: (row) => formatTime(row.played_at) },
  {
    label: 'Place',
    cell: (row) => (row.rank === null ? '—' : `${isLive(row) ? 'now ' : ''}${row.rank} of ${row.players.length}`),
  },
  { label: 'Hands', cell: (row) => endText(row) },
  {
    label: 'Delta Money',
    align: 'end',
    cell: (row) =>
      row.delta === null ? (
        '—'
      ) : (
        <span className={`mono-number ${deltaClass(row.delta)}`}>{formatDelta(row.delta)}</span>
      ),
  },
];
