import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { ChoiceField, SearchField } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/paged-rows.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { POLL_ADMIN_DASHBOARD_MS } from '../../lib/polling.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AdminUser } from '../../lib/types.ts';
import { usePagedSearch } from '../../lib/use-paged-search.ts';
import { useSession } from '../../session/session.ts';
import { useUserActions } from './user-actions.tsx';

const PAGE_SIZE = 25;
const STATUSES = { '': 'All', admin: 'Admins', verified: 'Verified', unverified: 'Unverified' };

export function UserList() {
  const { user: self } = useSession();
  const { filters, query, change, page, setPage } = usePagedSearch({ q: '', status: '' });
  const { buttons, dialog } = useUserActions();
  const users = useQuery({
    queryKey: [...queryKeys.adminUsers, query, page],
    queryFn: ({ signal }) => api.getList('/admin/users', { query: { ...query, page, page_size: PAGE_SIZE }, signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
    placeholderData: keepPreviousData,
  });
  const isSelf = (user: AdminUser) => user.username === self?.username;

  const columns: Column<AdminUser>[] = [
    {
      label: 'Username',
      cell: (user) => (
        <>
          {user.username}
          {isSelf(user) && <span className="muted"> (You)</span>}
        </>
      ),
    },
    { label: 'Email', cell: (user) => user.email },
    {
      label: 'Status',
      brief: true,
      cell: (user) => (
        <span className="cluster">
          {user.admin && <Badge color="yellow">ADMIN</Badge>}
          <Badge color={user.is_verified ? 'green' : 'grey'}>{user.is_verified ? 'VERIFIED' : 'UNVERIFIED'}</Badge>
        </span>
      ),
    },
    {
      label: 'Actions',
      cell: (user) =>
        isSelf(user) ? (
          <ButtonLink to="/profile" variant="ghost" small>
            VIEW
          </ButtonLink>
        ) : (
          buttons(user)
        ),
    },
  ];

  return (
    <Panel title="USER MANAGEMENT MATRIX" flush>
      <div className="panel-body field-grid">
        <SearchField label="Search users" value={filters.q} onSearch={(q) => change({ q })} />
        <ChoiceField label="Show" value={filters.status} choices={STATUSES} onChoose={(status) => change({ status })} />
      </div>
      <PagedRows query={users} noun="users" empty="No users found" page={page} pageSize={PAGE_SIZE} onPage={setPage}>
        {(rows) => (
          <Table
            caption="User management"
            columns={columns}
            rows={rows}
            rowKey={(user) => user.username}
            foldedAs={(user) => user.username}
          />
        )}
      </PagedRows>
      {dialog}
    </Panel>
  );
}
