import { useQuery } from '@tanstack/react-query';
import { EmptyState, LoadError, Loading } from '../../components/feedback.tsx';
import { Name } from '../../components/name.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta } from '../../lib/format.ts';
import { POLL_ADMIN_MS, queryKeys } from '../../lib/query-keys.ts';
import { withRanks } from '../../lib/scores.ts';
import type { BatchDetail } from '../../lib/types.ts';

type Row = BatchDetail['standings'][number] & { rank: number };

const COLUMNS: Column<Row>[] = [
  { label: 'Rank', cell: ({ rank }) => `#${rank}` },
  { label: 'Username', cell: (row) => <Name name={row.username} /> },
  { label: 'Matches', cell: (row) => row.matches },
  {
    label: 'Delta Money',
    align: 'end',
    cell: (row) => <span className={`mono-number ${deltaClass(row.delta)}`}>{formatDelta(row.delta)}</span>,
  },
];

/** Shows the standing of a batch by its finished matches, also while it runs. */
export function BatchStandings({ batchId }: { batchId: string }) {
  const detail = useQuery({
    queryKey: queryKeys.batchDetail(batchId),
    queryFn: ({ signal }) => api.get('/llm/batch/{id}', { params: { id: batchId }, signal }),
    refetchInterval: POLL_ADMIN_MS,
  });
  if (detail.isPending) return <Loading inline />;
  if (detail.isError) {
    return <LoadError what="the standing" query={detail} />;
  }
  if (detail.data.standings.length === 0) return <EmptyState title="No match has finished yet" />;
  return (
    <>
      {detail.data.counts.deleted > 0 && <p className="muted">{detail.data.counts.note}</p>}
      <Table
        caption="Standing"
        columns={COLUMNS}
        rows={withRanks(detail.data.standings, (row) => row.delta)}
        rowKey={(row) => row.username}
      />
    </>
  );
}
