import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Panel } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { SessionRow } from '../../lib/types.ts';

export function SessionList() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => api.get<{ sessions: SessionRow[] }>('/auth/sessions', { signal }),
  });
  const end = useMutation({
    mutationFn: (id: string) => api.delete<{ ended: number }>(`/auth/sessions/${encodeURIComponent(id)}`),
    onSuccess: (answer) => toast.success(answer.ended === 1 ? 'Session ended.' : `${answer.ended} sessions ended.`),
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
  const rows = sessions.data?.sessions ?? [];

  return (
    <Panel
      title="Sessions"
      flush
      actions={
        <Button
          variant="secondary"
          small
          disabled={end.isPending || rows.every((row) => row.current)}
          onClick={() => end.mutate('others')}
        >
          End all others
        </Button>
      }
    >
      {sessions.isPending && <Loading inline />}
      {sessions.isError && (
        <div className="panel-body">
          <ErrorBox
            text={`Failed to load sessions. ${messageOf(sessions.error)}`}
            onRetry={() => void sessions.refetch()}
          />
        </div>
      )}
      {rows.length > 0 && <Table caption="Sessions" columns={columns} rows={rows} rowKey={(session) => session.id} />}
    </Panel>
  );
}
