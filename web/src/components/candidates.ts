import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { AdminUser } from '../lib/types.ts';

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

/** Loads all users and whether they have a final submission, for the admins' pickers. */
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

export type CandidateSort = 'final-first' | 'final-last' | 'name';

function byName(a: Candidate, b: Candidate): number {
  return a.username.localeCompare(b.username, 'en', { sensitivity: 'base' });
}

/** Returns the candidates that match the search, sorted. */
export function arrangeCandidates(candidates: Candidate[], search: string, sort: CandidateSort): Candidate[] {
  const needle = search.trim().toLowerCase();
  const found = candidates.filter((entry) => entry.username.toLowerCase().includes(needle));
  const order = { 'final-first': -1, 'final-last': 1, name: 0 }[sort];
  return found.sort((a, b) => order * (Number(a.hasFinal) - Number(b.hasFinal)) || byName(a, b));
}

/** Adds the user to the roster or removes it. Adding beyond the limit has no effect. */
export function toggleCandidate(roster: string[], username: string, limit: number): string[] {
  if (roster.includes(username)) return roster.filter((name) => name !== username);
  return roster.length >= limit ? roster : [...roster, username];
}
