import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { queryKeys } from './query-keys.ts';
import type { AdminUser } from './types.ts';

const PAGE_SIZE = 1_000;

async function fetchAllUsers(signal: AbortSignal): Promise<AdminUser[]> {
  const users: AdminUser[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await api.getList('/admin/users', {
      query: { page, page_size: PAGE_SIZE },
      signal,
    });
    users.push(...items);
    if (items.length === 0 || users.length >= total) return users;
  }
}

export type Candidate = { username: string; hasFinal: boolean };

/** All users with whether they have a final submission, for the admin pickers (all pages, as specified). */
export function useCandidates() {
  return useQuery({
    queryKey: queryKeys.allUsers,
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const [users, finals] = await Promise.all([
        fetchAllUsers(signal),
        api.get('/submission/users/with-final', { signal }),
      ]);
      const withFinal = new Set(finals.users_list);
      const names = new Set([...users.map((user) => user.username), ...withFinal]);
      return [...names].map((username) => ({ username, hasFinal: withFinal.has(username) }));
    },
    staleTime: 60_000,
  });
}
