import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { api, messageOf } from '../../lib/api.ts';
import { rangeText } from '../../lib/page-window.ts';
import { POLL_ADMIN_DASHBOARD_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSession } from '../../lib/session.ts';
import type { AdminUser } from '../../lib/types.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

const PAGE_SIZE = 25;
const SEARCH_DELAY_MS = 300;

export function UserList() {
  const client = useQueryClient();
  const { user: self } = useSession();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [doomed, setDoomed] = useState<AdminUser | null>(null);
  const query = useDebounced(search.trim(), SEARCH_DELAY_MS);
  const users = useQuery({
    queryKey: [...queryKeys.adminUsers, query, page],
    queryFn: ({ signal }) =>
      api.getList<AdminUser>('/admin/users', { query: { q: query, page, page_size: PAGE_SIZE }, signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
    placeholderData: keepPreviousData,
  });
  const reload = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.adminUsers }),
      client.invalidateQueries({ queryKey: queryKeys.adminCounts }),
    ]);

  const admin = useMutation({
    mutationFn: (user: AdminUser) =>
      api.post<{ admin: boolean }>(`/admin/toggle-admin/${encodeURIComponent(user.username)}`),
    onSuccess: (answer, user) => toast.success(`${user.username} is ${answer.admin ? 'now' : 'no longer'} an admin.`),
    onError: (error) => toast.error(`Failed to update admin status: ${messageOf(error)}`),
    onSettled: reload,
  });
  const verify = useMutation({
    mutationFn: (user: AdminUser) =>
      api.post<{ is_verified: boolean }>(`/admin/verify-user/${encodeURIComponent(user.username)}`),
    onSuccess: (answer, user) =>
      toast.success(`${user.username} is ${answer.is_verified ? 'now' : 'no longer'} verified.`),
    onError: (error) => toast.error(`Failed to update verification status: ${messageOf(error)}`),
    onSettled: reload,
  });
  const removal = useMutation({
    mutationFn: (user: AdminUser) => api.delete(`/admin/user/${encodeURIComponent(user.username)}`),
    onSuccess: (_answer, user) => toast.success(`${user.username} deleted.`),
    onError: (error) => toast.error(`Failed to delete user: ${messageOf(error)}`),
    onSettled: () => {
      setDoomed(null);
      return reload();
    },
  });

  const actions = (user: AdminUser) =>
    user.username === self?.username ? (
      <ButtonLink to="/profile" variant="ghost" small>
        VIEW
      </ButtonLink>
    ) : (
      <div className="cell-actions">
        <Button variant="secondary" small disabled={admin.isPending} onClick={() => admin.mutate(user)}>
          {user.admin ? 'REVOKE ADMIN' : 'GRANT ADMIN'}
          <span className="visually-hidden"> for {user.username}</span>
        </Button>
        <Button variant="secondary" small disabled={verify.isPending} onClick={() => verify.mutate(user)}>
          {user.is_verified ? 'UNVERIFY' : 'VERIFY'}
          <span className="visually-hidden"> {user.username}</span>
        </Button>
        <ButtonLink to={`/profile/${encodeURIComponent(user.username)}`} variant="ghost" small>
          VIEW<span className="visually-hidden"> {user.username}</span>
        </ButtonLink>
        <Button variant="danger" small onClick={() => setDoomed(user)}>
          DELETE<span className="visually-hidden"> {user.username}</span>
        </Button>
      </div>
    );
  const columns: Column<AdminUser>[] = [
    {
      label: 'Username',
      cell: (user) => (
        <>
          {user.username}
          {user.username === self?.username && <span className="muted"> (You)</span>}
        </>
      ),
    },
    { label: 'Email', cell: (user) => user.email },
    {
      label: 'Status',
      cell: (user) => (
        <span className="cluster">
          {user.admin && <Badge color="yellow">ADMIN</Badge>}
          <Badge color={user.is_verified ? 'green' : 'grey'}>{user.is_verified ? 'VERIFIED' : 'UNVERIFIED'}</Badge>
        </span>
      ),
    },
    { label: 'Actions', cell: actions },
  ];
  const total = users.data?.total ?? 0;

  return (
    <Panel title="USER MANAGEMENT MATRIX" flush>
      <div className="panel-body">
        <TextField
          label="Search users"
          type="search"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(1);
          }}
        />
      </div>
      {users.isPending && <Loading inline />}
      {users.isError && (
        <div className="panel-body">
          <ErrorBox text={`Failed to load users. ${messageOf(users.error)}`} onRetry={() => void users.refetch()} />
        </div>
      )}
      {users.data && users.data.items.length === 0 && <EmptyState title="No users found" />}
      {users.data && users.data.items.length > 0 && (
        <>
          <Table caption="User management" columns={columns} rows={users.data.items} rowKey={(user) => user.username} />
          <div className="panel-body stack">
            <p className="muted" role="status">
              {rangeText(page, PAGE_SIZE, total)} users
            </p>
            <Pagination label="Pages of users" page={page} totalPages={Math.ceil(total / PAGE_SIZE)} onPage={setPage} />
          </div>
        </>
      )}
      <ConfirmDialog
        open={doomed !== null}
        title="Delete user"
        confirmLabel="Delete user"
        busy={removal.isPending}
        onConfirm={() => doomed && removal.mutate(doomed)}
        onCancel={() => setDoomed(null)}
      >
        <p>
          Are you sure you want to delete {doomed?.username}? This is permanent and cannot be undone: submissions, jobs
          and entries of this user go with it.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
