import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

const invalidate = (client: QueryClient, keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));

/** Invalidates every list and count of matches. Called when a match was created, deleted or published. */
export const invalidateJobs = (client: QueryClient): Promise<unknown> =>
  invalidate(client, [
    queryKeys.adminJobs,
    queryKeys.simulationJobs,
    queryKeys.adminCounts,
    queryKeys.adminGames,
    queryKeys.publicJobs,
    queryKeys.ownJobs,
  ]);

/** Invalidates the leaderboards and everything that shows which matches count. */
export const invalidateScores = (client: QueryClient): Promise<unknown> =>
  invalidate(client, [queryKeys.leaderboard, queryKeys.anyProfile, queryKeys.adminJobs, queryKeys.adminGames]);

/** Invalidates everything that shows users. Called when a user's roles changed or the user was deleted. */
export const invalidateUsers = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    invalidate(client, [queryKeys.adminUsers, queryKeys.allUsers, queryKeys.anyDirectory]),
    invalidateJobs(client),
    invalidateScores(client),
  ]);
