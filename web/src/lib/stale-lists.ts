import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

const stale = (client: QueryClient, keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));

/** A match came, went or was published: every list and count of matches is read again when it is looked at. */
export const jobsChanged = (client: QueryClient): Promise<unknown> =>
  stale(client, [
    ...[queryKeys.adminJobs, queryKeys.simulationJobs, queryKeys.adminCounts],
    ...[queryKeys.adminGames, queryKeys.publicJobs, queryKeys.ownJobs],
  ]);

/** Scores changed, and with them which matches count. */
export const scoresChanged = (client: QueryClient): Promise<unknown> =>
  stale(client, [queryKeys.leaderboard, queryKeys.anyProfile, queryKeys.adminJobs, queryKeys.adminGames]);

/** A user's roles changed, or the user went with all that was theirs. */
export const usersChanged = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    stale(client, [queryKeys.adminUsers, queryKeys.allUsers, queryKeys.anyDirectory]),
    jobsChanged(client),
    scoresChanged(client),
  ]);
