import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

const stale = (client: QueryClient, keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));

/** Invalidates every list and count of matches. Called when a match was created, deleted or published. */
export const jobsChanged = (client: QueryClient): Promise<unknown> =>
  stale(client, [
    ...[queryKeys.adminJobs, queryKeys.simulationJobs, queryKeys.adminCounts],
    ...[queryKeys.adminGames, queryKeys.publicJobs, queryKeys.ownJobs],
  ]);

/** Invalidates the leaderboards and everything that shows which matches count. */
export const scoresChanged = (client: QueryClient): Promise<unknown> =>
  stale(client, [queryKeys.leaderboard, queryKeys.anyProfile, queryKeys.adminJobs, queryKeys.adminGames]);

/** Invalidates everything that shows users. Called when a user's roles changed or the user was deleted. */
export const usersChanged = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    stale(client, [queryKeys.adminUsers, queryKeys.allUsers, queryKeys.anyDirectory]),
    jobsChanged(client),
    scoresChanged(client),
  ]);
