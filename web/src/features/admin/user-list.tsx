import { Badge } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { ChoiceField, SearchField } from '../../components/form.tsx';
import { Name } from '../../components/name.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { usePagedList, usePagedSearch } from '../../lib/paged-list.ts';
import { POLL_ADMIN_DASHBOARD_MS, queryKeys } from '../../lib/query-keys.ts';
import type { AdminUser } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { useUserActions } from './user-actions.tsx';

const STATUSES = { '': 'All', admin: 'Admins', verified: 'Verified', unverified: 'Unverified' };

export function UserList() {
  const { user: self } = useSession();
  const search = usePagedSearch({ q: '', status: '' });
  const { filters, query, change } = search;
  const { buttons, dialog } = useUserActions();
  const users = usePagedList({
    queryKey: [...queryKeys.adminUsers, query],
    search,
    fetch: (paging, signal) => api.getList('/admin/users', { query: { ...query, ...paging }, signal }),
    refetchInterval: POLL_ADMIN_DASHBOARD_MS,
  });
  const isSelf = (user: AdminUser) => user.username === self?.username;

  const columns: Column<AdminUser>[] = [
    {
      label: 'Username',
      cell: (user) => (
        <>
          <Name name={user.username} />
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
      <PagedRows list={users} noun="users" empty="No users found">
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
