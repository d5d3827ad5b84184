import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { SearchField } from '../../components/form.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { api } from '../../lib/api.ts';
import { rangeText, usePagedSearch } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { githubUrl } from '../../lib/scores.ts';
import type { DirectoryUser, UserPage } from '../../lib/types.ts';
import './directory.css';
import { Name } from '../../components/name.tsx';

const PAGE_SIZE = 25;

async function load(query: string, page: number, signal: AbortSignal): Promise<UserPage> {
  if (query === '') return api.get('/user/all', { query: { page, page_size: PAGE_SIZE }, signal });
  const pageQuery = { q: query, page, page_size: PAGE_SIZE };
  const { items, total } = await api.getList('/user/search', { query: pageQuery, signal });
  return { users: items, total, page, total_pages: Math.ceil(total / PAGE_SIZE) };
}

export function DirectoryPage() {
  const { filters, query, change, page, setPage } = usePagedSearch({ q: '' });
  const users = useQuery({
    queryKey: queryKeys.directory(query.q, page),
    queryFn: ({ signal }) => load(query.q, page, signal),
    placeholderData: keepPreviousData,
  });
  const { data } = users;

  return (
    <Page title="User Directory" lead="Everybody who plays: people, teams and models.">
      <div className="columns columns-lead">
        <Panel title="Search">
          <SearchField
            label="Search users"
            placeholder="Username or name"
            value={filters.q}
            onSearch={(q) => change({ q })}
          />
        </Panel>
        <Panel title="How to use">
          <ul className="how-to">
            <li>Type part of a username or a name to filter the list.</li>
            <li>Select a user to see profile, scores and contacts.</li>
            <li>Your own card is filled in from your profile.</li>
          </ul>
        </Panel>
      </div>
      <p className="muted" role="status">
        {data ? `${rangeText(page, PAGE_SIZE, data.total)} users` : ''}
      </p>
      <QueryState what="users" query={users} />
      {data?.users.length === 0 && <EmptyState title="No users found" />}
      {data && data.users.length > 0 && (
        <ul className="user-grid" aria-busy={users.isPlaceholderData}>
          {data.users.map((user) => (
            <UserCard key={user.username} user={user} />
          ))}
        </ul>
      )}
      {data && <Pagination label="Pages of users" page={page} totalPages={data.total_pages} onPage={setPage} />}
    </Page>
  );
}

function UserCard({ user }: { user: DirectoryUser }) {
  const github = githubUrl(user.github);
  return (
    <li className="user-card">
      <h2 className="user-name">
        <Link to={`/profile/${encodeURIComponent(user.username)}`}>
          <Name name={user.name || user.username} />
        </Link>
      </h2>
      <p className="muted">@{user.username}</p>
      {user.about && <p className="user-about">{user.about}</p>}
      <p className="user-links">
        {user.github && (github ? <a href={github}>GitHub: {user.github}</a> : <span>GitHub: {user.github}</span>)}
        {user.discord_username && <span>Discord: {user.discord_username}</span>}
      </p>
    </li>
  );
}
