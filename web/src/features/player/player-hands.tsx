import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta, formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { PlayerHand } from '../../lib/types.ts';

const LIMIT = 5;
const TITLES = { best: 'Best hands', worst: 'Worst hands' } as const;

/** Lists the hands in which a player won or lost most, each with a link to its replay. */
export function PlayerHands({ username, kind }: { username: string; kind: 'best' | 'worst' }) {
  const hands = useQuery({
    queryKey: [...queryKeys.player(username), 'hands', kind],
    queryFn: ({ signal }) =>
      api.get('/live/players/{username}/hands', { params: { username }, query: { kind, limit: LIMIT }, signal }),
  });
  const rows = hands.data?.hands ?? [];
  return (
    <Panel title={TITLES[kind]} flush>
      <QueryState what="the hands" query={hands} padded />
      {hands.isSuccess && rows.length === 0 && <EmptyState title="No such hand yet" />}
      {rows.length > 0 && <Table caption={TITLES[kind]} columns={COLUMNS} rows={rows} rowKey={(row) => row.game_id} />}
    </Panel>
  );
}

const COLUMNS: Column<PlayerHand>[] = [
  {
    label: 'Hand',
    cell: (row) => <Link to={`/replay/${encodeURIComponent(row.game_id)}`}>Hand #{row.hand_number}</Link>,
  },
  { label: 'Pot', align: 'end', cell: (row) => <span className="mono-number">{formatNumber(row.pot)}</span> },
  { label: 'Winning hand', cell: (row) => row.winning_hand ?? 'no showdown' },
  {
    label: 'Delta Money',
    align: 'end',
    cell: (row) => <span className={`mono-number ${deltaClass(row.net)}`}>{formatDelta(row.net)}</span>,
  },
];
