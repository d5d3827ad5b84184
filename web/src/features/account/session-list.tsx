import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { usePagedList } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { SessionRow } from '../../lib/types.ts';

export function SessionList() {
  const client = useQueryClient();
  const sessions = usePagedList({
    queryKey: queryKeys.sessions,
    fetch: async (paging, signal) => {
      const response = await api.get('/auth/sessions', { query: paging, signal });
      return { items: response.sessions, total: response.total_count };
    },
  });
  const end = useMutation({
    mutationFn: (id: string) => api.delete('/auth/sessions/{id}', { params: { id } }),
    onSuccess: (response) =>
      toast.success(response.ended === 1 ? 'Session ended.' : `${response.ended} sessions ended.`),
    onError: (error) => toast.error(`Failed to end the session: ${messageOf(error)}`),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });

  const columns: Column<SessionRow>[] = [
    {
      label: 'Signed in',
      cell: (session) => (
        <span className="cluster">
          {formatTime(session.created_at)}
          {session.current && <Badge color="green">This browser</Badge>}
        </span>
      ),
    },
    { label: 'From', cell: (session) => session.address ?? '—' },
    { label: 'Expires', cell: (session) => formatTime(session.expires_at) },
    {
      label: 'Actions',
      cell: (session) =>
        session.current ? (
          <span className="muted">—</span>
        ) : (
          <Button variant="danger" small disabled={end.isPending} onClick={() => end.mutate(session.id)}>
            End<span className="visually-hidden"> the session of {formatTime(session.created_at)}</span>
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title="Sessions"
      flush
      actions={
        <Button
          variant="secondary"
          small
          disabled={end.isPending || (sessions.query.data?.total ?? 0) <= 1}
          onClick={() => end.mutate('others')}
        >
          End all others
        </Button>
      }
    >
      <PagedRows list={sessions} noun="sessions" empty="No sessions found">
        {(rows) => <Table caption="Sessions" columns={columns} rows={rows} rowKey={(session) => session.id} />}
      </PagedRows>
    </Panel>
  );
}
