import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Loading } from '../components/feedback.tsx';
import { Toasts } from '../components/toasts.tsx';
import { HomePage } from '../features/home/home-page.tsx';
import { retryImport } from '../lib/retry-import.ts';
import { Guard } from './guard.tsx';
import { Layout, RouteError } from './layout.tsx';
import { NotFoundPage } from './notices.tsx';
import { queryClient } from './query-client.ts';
import { SessionEndedDialog } from './session-ended-dialog.tsx';

/** Returns a route whose page is loaded when it is first visited. */
const page = (path: string, load: () => Promise<ComponentType>) => ({
  path,
  lazy: async () => ({ Component: await retryImport(load) }),
});

const anyone = [
  // Not lazy: the first page of most visits should not wait for a second file.
  { index: true, element: <HomePage /> },
  page('about', async () => (await import('../features/about/about-page.tsx')).AboutPage),
  page('bots', async () => (await import('../features/bot-help/bot-help-page.tsx')).BotHelpPage),
  page('bots/debug', async () => (await import('../features/bot-help/bot-help-page.tsx')).DebugHelpPage),
  page('kit', async () => (await import('../features/kit/kit-page.tsx')).KitPage),
  page('fairness', async () => (await import('../features/fairness/fairness-page.tsx')).FairnessPage),
  page('methodology', async () => (await import('../features/methodology/methodology-page.tsx')).MethodologyPage),
  page(
    'verification-success',
    async () => (await import('../features/auth/verification-success-page.tsx')).VerificationSuccessPage,
  ),
  page('forgot-password', async () => (await import('../features/auth/forgot-password-page.tsx')).ForgotPasswordPage),
  page(
    'reset-password/:token',
    async () => (await import('../features/auth/reset-password-page.tsx')).ResetPasswordPage,
  ),
  page('games', async () => (await import('../features/games/games-page.tsx')).GamesPage),
  page('games/:jobId', async () => (await import('../features/games/job-page.tsx')).JobPage),
  page('replay/:gameId', async () => (await import('../features/replay/replay-page.tsx')).ReplayPage),
  page('upload-replay', async () => (await import('../features/replay/upload-replay-page.tsx')).UploadReplayPage),
  page('data', async () => (await import('../features/public-data/public-data-page.tsx')).PublicDataPage),
  page('ladder', async () => (await import('../features/ladder/ladder-page.tsx')).LadderPage),
  page('tournaments', async () => (await import('../features/tournaments/tournaments-page.tsx')).TournamentsPage),
  page('tournaments/:slug', async () => (await import('../features/tournaments/tournament-page.tsx')).TournamentPage),
  page('batches/:number', async () => (await import('../features/batch/batch-page.tsx')).BatchPage),
  page('players/:username', async () => (await import('../features/player/player-page.tsx')).PlayerPage),
  page('profile/:username', async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
];

const signedOut = [
  page('login', async () => (await import('../features/auth/login-page.tsx')).LoginPage),
  page('register', async () => (await import('../features/auth/register-page.tsx')).RegisterPage),
];

const signedIn = [page('account', async () => (await import('../features/account/account-page.tsx')).AccountPage)];

const unverified = [
  page('verify-account', async () => (await import('../features/auth/verify-account-page.tsx')).VerifyAccountPage),
];

const verified = [
  page(
    'games/:jobId/bots/:username',
    async () => (await import('../features/bot-report/bot-report-page.tsx')).BotReportPage,
  ),
  page('dashboard', async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage),
  page('challenge', async () => (await import('../features/challenge/challenge-page.tsx')).ChallengePage),
  page('submission', async () => (await import('../features/submissions/submissions-page.tsx')).SubmissionsPage),
  page('trials', async () => (await import('../features/trials/trials-page.tsx')).TrialsPage),
  page('trials/:id', async () => (await import('../features/trials/trial-page.tsx')).TrialPage),
  page('leaderboard', async () => (await import('../features/leaderboard/leaderboard-page.tsx')).LeaderboardPage),
  page('directory', async () => (await import('../features/directory/directory-page.tsx')).DirectoryPage),
  page('profile', async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
];

const admin = [
  page('admin', async () => (await import('../features/admin/admin-page.tsx')).AdminPage),
  page('admin/audit', async () => (await import('../features/admin/audit-page.tsx')).AuditPage),
  page('admin/games', async () => (await import('../features/games/admin-games-page.tsx')).AdminGamesPage),
  page('simulation', async () => (await import('../features/simulation/simulation-page.tsx')).SimulationPage),
  page('llm-batch', async () => (await import('../features/llm-batch/llm-batch-page.tsx')).LlmBatchPage),
  page('container-manager', async () => (await import('../features/containers/containers-page.tsx')).ContainersPage),
];

// The condition is constant in a build: the catalogue and its samples are not in the bundle.
const development = import.meta.env.DEV
  ? [page('dev/components', async () => (await import('../dev/catalogue-page.tsx')).CataloguePage)]
  : [];

export const router = createBrowserRouter([
  {
    // Without the layout: shown in frames of other sites.
    ...page('embed/replay/:gameId', async () => (await import('../features/replay/embed-page.tsx')).EmbedPage),
    hydrateFallbackElement: <Loading />,
    errorElement: <RouteError />,
  },
  {
    // Without navigation and footer: shown on a screen that nobody operates.
    ...page('tv', async () => (await import('../features/tv/tv-page.tsx')).TvPage),
    hydrateFallbackElement: <Loading />,
    errorElement: <RouteError />,
  },
  {
    element: <Layout />,
    hydrateFallbackElement: <Loading />,
    children: [
      {
        errorElement: <RouteError />,
        children: [
          ...anyone,
          ...development,
          { element: <Guard requirement="signed-out" />, children: signedOut },
          { element: <Guard requirement="signed-in" />, children: signedIn },
          { element: <Guard requirement="unverified" />, children: unverified },
          { element: <Guard requirement="verified" />, children: verified },
          { element: <Guard requirement="admin" />, children: admin },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionEndedDialog />
      <Toasts />
    </QueryClientProvider>
  );
}
