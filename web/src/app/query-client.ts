import { QueryClient } from '@tanstack/react-query';
import { isReachable, subscribeConnection } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { getSession, subscribeSession } from '../session/session.ts';

/**
 * Decides whether a failed query is retried. A call that exceeded a deadline, ours or the gateway's (504), is not: the user
 * decides whether to wait that long again.
 */
export function retry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return failures < 2;
  const quick = error.status === 0 ? error.reason !== 'TIMEOUT' : error.status === 502 || error.status === 503;
  return quick && failures < 2;
}

/**
 * The cache of all queries. Polls pause in hidden tabs (refetchIntervalInBackground stays off). Calls are made even if the browser says
 * offline, so that their errors show.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 10_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

let lastUser: string | null = null;

subscribeSession(() => {
  const { phase, user } = getSession();
  if (phase === 'checking') return;
  const current = user?.username ?? null;
  if (current === lastUser) return;
  lastUser = current;
  // Data of one user must not be shown to the next one.
  void queryClient.resetQueries();
});

subscribeConnection(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});
