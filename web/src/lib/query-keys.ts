import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Cache keys of the queries. Mutations invalidate them by prefix. */
export const queryKeys = {
  appConfig: ['app-config'] as const,
  sessions: ['auth', 'sessions'] as const,
  kit: ['kit'] as const,
  accessTokens: ['auth', 'tokens'] as const,
  notices: ['auth', 'notices'] as const,
  topEntries: (count: number, tag: string | null) => ['leaderboard', 'top', count, tag] as const,
  board: (tag: string, page: number) => ['leaderboard', 'board', tag, page] as const,
  leaderboard: ['leaderboard'] as const,
  ladder: (page: number) => ['ladder', page] as const,
  tournaments: ['tournaments'] as const,
  tournament: (slug: string) => ['tournaments', slug] as const,
  ladderTop: ['ladder', 'top'] as const,
  ladderPart: ['ladder', 'part'] as const,
  trials: ['trials'] as const,
  trial: (id: string) => ['trials', 'one', id] as const,
  ladderHistory: (username: string) => ['ladder', 'of', username] as const,
  challenges: ['challenges'] as const,
  challengeChoice: ['challenges', 'choice'] as const,
  opponents: (query: string) => ['opponents', query] as const,
  leaderboardTags: ['leaderboard', 'tags'] as const,
  ownJobs: ['sim', 'status', 'all'] as const,
  playedMatches: (username: string) => ['sim', 'status', 'all', 'played', username] as const,
  submissions: ['submissions'] as const,
  botCheck: (picks: readonly number[]) => ['bot-check', ...picks] as const,
  file: (fileId: string) => ['submission-file', fileId] as const,
  anyProfile: ['profile'] as const,
  profile: (username: string | null) => ['profile', username] as const,
  finalSubmission: (username: string) => ['final-submission', username] as const,
  anyDirectory: ['directory'] as const,
  directory: (query: string, page: number) => ['directory', query, page] as const,
  allUsers: ['users', 'all'] as const,
  eventSettings: ['admin', 'settings'] as const,
  retention: ['admin', 'retention'] as const,
  userQuota: (username: string) => ['admin', 'quota', username] as const,
  audit: ['admin', 'audit'] as const,
  adminCounts: ['admin', 'counts'] as const,
  adminUsers: ['admin', 'users'] as const,
  adminJobs: ['admin', 'jobs'] as const,
  simulationJobs: ['admin', 'sim-admin-jobs'] as const,
  scalingJobs: ['admin', 'scaling-jobs'] as const,
  batches: ['llm', 'batches'] as const,
  batchPlan: (users: number, options: string) => ['llm', 'batch-plan', users, options] as const,
  batchDetail: (batchId: string) => ['llm', 'batch', batchId] as const,
  batchJobs: (batchId: string) => ['llm', 'batch-jobs', batchId] as const,
  batchArena: (batchId: string) => ['llm', 'arena', batchId] as const,
  batchMetadata: (batchId: string) => ['llm', 'metadata', batchId] as const,
  liveNow: ['live', 'now'] as const,
  tellingHand: (batch: number | undefined) => ['live', 'hand-of-the-day', batch] as const,
  dataExports: (of: number | 'periods') => ['live', 'exports', of] as const,
  citation: (of: object) => ['live', 'citation', of] as const,
  publicBatch: (number: string) => ['live', 'batch', number] as const,
  standings: (scope: { batch?: string | undefined; tag?: string | undefined }) => ['live', 'standings', scope] as const,
  player: (username: string) => ['live', 'player', username.toLowerCase()] as const,
  poolStatus: ['docker', 'status'] as const,
  autoscaling: ['docker', 'autoscaling'] as const,
  containers: ['docker', 'detailed'] as const,
  publicJobs: ['live', 'public-jobs'] as const,
  adminGames: ['live', 'admin-jobs'] as const,
  job: (jobId: string) => ['live', 'job', jobId] as const,
  botReport: (jobId: string, username: string) => ['live', 'job', jobId, 'bot', username] as const,
  botLog: (jobId: string, username: string) => ['live', 'job', jobId, 'bot', username, 'log'] as const,
  botCode: (jobId: string, username: string) => ['live', 'job', jobId, 'bot', username, 'code'] as const,
  jobGames: (jobId: string) => ['live', 'job', jobId, 'games'] as const,
  jobCommitment: (jobId: string) => ['live', 'job', jobId, 'commitment'] as const,
  jobSeed: (jobId: string) => ['live', 'job', jobId, 'seed'] as const,
  chainHead: ['live', 'commitments', 'head'] as const,
  repetitions: ['live', 'repetitions'] as const,
  signingKeys: ['live', 'signed-head'] as const,
  jobPerformance: (jobId: string) => ['live', 'job', jobId, 'performance'] as const,
  game: (gameId: string) => ['live', 'game', gameId] as const,
};

/** Milliseconds between polls of a list. Hidden tabs do not poll. */
export const POLL_OWN_JOBS_MS = 15_000;
export const POLL_LADDER_MS = 15_000;
/** For a test run that the user has just started. */
export const POLL_TEST_RUN_MS = 1_500;
export const POLL_ADMIN_DASHBOARD_MS = 30_000;
export const POLL_ADMIN_MS = 15_000;
/** Banner, freeze and tournament window; changes show without a reload. */
export const POLL_EVENT_MS = 60_000;

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
