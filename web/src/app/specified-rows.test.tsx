// @vitest-environment happy-dom
// Every page works with list rows that have only the fields of the specification: each other field is an addition.
import { cleanup, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { signIn, signOut } from '../session/session.ts';

const at = '2025-07-15T12:00:00Z';
const job = {
  job_id: 'job-1',
  batch_id: 'batch-1',
  players: ['ann', 'ben'],
  first_game_created_at: at,
  is_public: true,
};
const envelope = { total_count: 1, has_next: false, has_previous: false, page: 1 };
const ownJob = { job_id: 'job-1', job_status: 'Finished', result_data: { ann: 5, ben: -5 } };
const adminJob = { ...ownJob, id: 'job-1', status: 'Failed', error_message: null, username: 'ann' };
const entry = { id: 'entry-1', username: 'ann', score: 12, tag: 'cup', time_created: at };
const person = { username: 'ann', name: null, github: null, discord_username: null, about: null };
const profile = { ...person, email: 'ann@test.invalid', admin: true, is_verified: true };
const container = { container_name: 'runner-1', port: 9001, state: 'idle' };
const counts = { PENDING: 0, RUNNING: 1, FINISHED: 1, FAILED: 0 };
const batchJob = { job_id: 'job-1', status: 'FINISHED', users_to_run: ['ann', 'ben'] };
const batch = { batch_id: 'batch-1', created_at: at, total_jobs: 2, job_statuses: counts, jobs: [batchJob] };
const game = {
  rounds: { 0: { pot: 20, bets: { 0: 10, 1: 10 }, action_sequence: [{ player: 0, action: 'RAISE', amount: 5 }] } },
  playerNames: { 0: 'player1', 1: 'player2' },
  finalBoard: [],
};

// Other calls are not those of the specification: a server without them answers 404.
const responses: readonly [string, unknown][] = [
  ['/auth/whoami', profile],
  ['/live/public-job-ids/paginated', { jobs: [job], ...envelope }],
  ['/live/job-ids', { jobs: [job], ...envelope }],
  ['/live/job/job-1/games', { games: [{ game_id: 'game-1', game_uuid: '1' }] }],
  ['/live/job/job-1/user-performance', { ann: [5, 10], ben: [-5, -10] }],
  ['/live/game/game-1', { message: '', game_id: 'game-1', game_uuid: '1', job_id: 'job-1', game_data: game }],
  ['/llm/game-log/game-1/batch-order', { batch_order: 3 }],
  ['/sim/status/all', [ownJob]],
  ['/sim/played', [ownJob]],
  ['/sim/status/job-1', ownJob],
  ['/submission/list', { files: [{ id: 's-1', player_file: 'p', package_file: 'r', final: true, created_at: at }] }],
  ['/submission/users/with-final', { users_list: ['ann'] }],
  ['/profile', { profile, leaderboard_entries: [entry] }],
  ['/user/all', { users: [person], total: 1, page: 1, total_pages: 1 }],
  ['/user/search', [person]],
  ['/leaderboard/top', { top_entries: [entry] }],
  ['/leaderboard/board', { tag: 'cup', from_matches: true, matches: 1, rows: [entry], boards: ['cup'], ...envelope }],
  ['/leaderboard/tags', { tags: ['cup'] }],
  ['/leaderboard/user', { entries: [entry] }],
  ['/admin/user-count', { user_count: 3 }],
  ['/admin/job-count', { job_count: 4 }],
  ['/admin/submission-count', { submission_count: 5 }],
  ['/admin/users', [{ username: 'ann', email: '', admin: true, is_verified: true }]],
  ['/admin/user-final-submission', { has_final_submission: false, message: '' }],
  ['/admin/jobs', [adminJob]],
  ['/admin/sim-admin-jobs', [adminJob]],
  ['/admin/scaling-jobs', [adminJob]],
  ['/llm/batches', { batches: [batch] }],
  ['/llm/batch/batch-1/jobs', { jobs: [batchJob], ...envelope }],
  [
    '/llm/batch/batch-1/metadata',
    { batch_id: 'batch-1', metadata_id: null, batch_metadata: {}, batch_entries_count: 2 },
  ],
  ['/docker/pool/status', { data: { pool_size: 3, active_containers: 1, idle_containers: 1, acquired_containers: 1 } }],
  ['/docker/pool/detailed', { data: { idle_containers: [container], active_containers: [container] } }],
];

beforeEach(async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.split('?')[0] ?? '';
    const found = responses.findLast(([known]) => path === known || path.startsWith(`${known}/`));
    return found ? Response.json(found[1]) : Response.json({ detail: 'Not found' }, { status: 404 });
  });
  vi.spyOn(console, 'warn').mockReturnValue();
  await signIn('token');
});
afterEach(async () => {
  cleanup();
  await signOut();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pages: readonly [path: string, pattern: string, text: RegExp, load: () => Promise<ComponentType>][] = [
  ['/', '/', /ann/, async () => (await import('../features/home/home-page.tsx')).HomePage],
  ['/games', '/games', /ID: job-1/, async () => (await import('../features/games/games-page.tsx')).GamesPage],
  [
    '/games/job-1',
    '/games/:jobId',
    /Job Final Result.*ann/,
    async () => (await import('../features/games/job-page.tsx')).JobPage,
  ],
  [
    '/replay/game-1',
    '/replay/:gameId',
    /POKER REPLAY/,
    async () => (await import('../features/replay/replay-page.tsx')).ReplayPage,
  ],
  [
    '/profile/ann',
    '/profile/:username',
    /cup/,
    async () => (await import('../features/profile/profile-page.tsx')).ProfilePage,
  ],
  ['/profile', '/profile', /cup/, async () => (await import('../features/profile/profile-page.tsx')).ProfilePage],
  [
    '/dashboard',
    '/dashboard',
    /job-1/,
    async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
  ],
  [
    '/submission',
    '/submission',
    /Submission 1/,
    async () => (await import('../features/submissions/submissions-page.tsx')).SubmissionsPage,
  ],
  [
    '/leaderboard',
    '/leaderboard',
    /ann \(You\)/,
    async () => (await import('../features/leaderboard/leaderboard-page.tsx')).LeaderboardPage,
  ],
  [
    '/directory',
    '/directory',
    /@ann/,
    async () => (await import('../features/directory/directory-page.tsx')).DirectoryPage,
  ],
  ['/admin', '/admin', /Unknown error/, async () => (await import('../features/admin/admin-page.tsx')).AdminPage],
  [
    '/admin/games',
    '/admin/games',
    /job-1/,
    async () => (await import('../features/games/admin-games-page.tsx')).AdminGamesPage,
  ],
  [
    '/simulation',
    '/simulation',
    /job-1/,
    async () => (await import('../features/simulation/simulation-page.tsx')).SimulationPage,
  ],
  [
    '/llm-batch',
    '/llm-batch',
    /batch-1/,
    async () => (await import('../features/llm-batch/llm-batch-page.tsx')).LlmBatchPage,
  ],
  [
    '/container-manager',
    '/container-manager',
    /Unknown error/,
    async () => (await import('../features/containers/containers-page.tsx')).ContainersPage,
  ],
];

it.each(pages)('%s shows rows with the specified fields only', async (path, pattern, text, load) => {
  const Page = await load();
  const { container: page } = renderInApp(
    <Routes>
      <Route path={pattern} element={<Page />} />
    </Routes>,
    path,
  );
  await vi.waitFor(() => expect(page.textContent).toMatch(text), 5_000);
  await vi.waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull(), 5_000);
  expect(page.textContent).not.toMatch(/undefined|NaN|\bnull\b|\[object/);
});
