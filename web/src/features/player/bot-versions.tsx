import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta, formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { BotVersion } from '../../lib/types.ts';

/** Lists the versions of a player's bot with results and faults, private matches included. For the player and admins. */
export function BotVersions({ username }: { username: string }) {
  const versions = useQuery({
    queryKey: [...queryKeys.player(username), 'versions'],
    queryFn: ({ signal }) => api.get('/players/{username}/versions', { params: { username }, signal }),
  });
  return (
    <Panel title="Versions and faults of the bot" flush>
      <p className="panel-body muted">
        Only {username} and admins see this. It counts all finished matches, private ones too, without test runs. Faults
        of each match are on the <Link to={`/profile/${encodeURIComponent(username)}`}>profile</Link>.
      </p>
      <QueryState what="the versions" query={versions} padded />
      {versions.data?.versions.length === 0 && <EmptyState title="No finished match yet" />}
      {versions.data !== undefined && versions.data.versions.length > 0 && (
        <Table
          caption="Versions and faults of the bot"
          columns={COLUMNS}
          rows={versions.data.versions}
          rowKey={(row) => row.bot_hash}
        />
      )}
    </Panel>
  );
}

const COLUMNS: Column<BotVersion>[] = [
  { label: 'Bot hash', cell: (row) => <code title={row.bot_hash}>{row.bot_hash.slice(0, 12)}</code> },
  { label: 'First match', cell: (row) => formatTime(row.first_ended_at) },
  { label: 'Last match', cell: (row) => formatTime(row.last_ended_at) },
  { label: 'Matches', align: 'end', cell: (row) => formatNumber(row.matches) },
  {
    label: 'Failed decisions',
    align: 'end',
    cell: (row) => `${formatNumber(row.failed_decisions)} of ${formatNumber(row.decisions)}`,
  },
  {
    label: 'Delta Money',
    align: 'end',
    cell: (row) => <span className={`mono-number ${deltaClass(row.delta)}`}>{formatDelta(row.delta)}</span>,
  },
];
