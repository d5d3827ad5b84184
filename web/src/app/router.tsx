import type { ComponentType } from 'react';
import { createBrowserRouter } from 'react-router';
import { Loading } from '../components/spinner.tsx';
import { HomePage } from '../features/home/home-page.tsx';
import { retryImport } from '../lib/retry-import.ts';
import { Guard } from './guard.tsx';
import { Layout } from './layout.tsx';
import { NotFoundPage } from './notices.tsx';
import { RouteError } from './route-error.tsx';

/** Loads the page of a route when it is first visited. */
const lazy = (load: () => Promise<ComponentType>) => async () => ({ Component: await retryImport(load) });

const anyone = [
  // Not lazy: the first page of most visits should not wait for a second file.
  { index: true, element: <HomePage /> },
  { path: 'about', lazy: lazy(async () => (await import('../features/about/about-page.tsx')).AboutPage) },
  { path: 'bots', lazy: lazy(async () => (await import('../features/bot-help/bot-help-page.tsx')).BotHelpPage) },
  {
    path: 'bots/debug',
    lazy: lazy(async () => (await import('../features/bot-help/debug-help-page.tsx')).DebugHelpPage),
  },
  { path: 'kit', lazy: lazy(async () => (await import('../features/kit/kit-page.tsx')).KitPage) },
  { path: 'fairness', lazy: lazy(async () => (await import('../features/fairness/fairness-page.tsx')).FairnessPage) },
  {
    path: 'methodology',
    lazy: lazy(async () => (await import('../features/methodology/methodology-page.tsx')).MethodologyPage),
  },
  {
    path: 'verification-success',
    lazy: lazy(async () => (await import('../features/auth/verification-success-page.tsx')).VerificationSuccessPage),
  },
  {
    path: 'forgot-password',
    lazy: lazy(async () => (await import('../features/auth/forgot-password-page.tsx')).ForgotPasswordPage),
  },
  {
    path: 'reset-password/:token',
    lazy: lazy(async () => (await import('../features/auth/reset-password-page.tsx')).ResetPasswordPage),
  },
  { path: 'games', lazy: lazy(async () => (await import('../features/games/games-page.tsx')).GamesPage) },
  { path: 'games/:jobId', lazy: lazy(async () => (await import('../features/games/job-page.tsx')).JobPage) },
  { path: 'replay/:gameId', lazy: lazy(async () => (await import('../features/replay/replay-page.tsx')).ReplayPage) },
  {
    path: 'upload-replay',
    lazy: lazy(async () => (await import('../features/replay/upload-replay-page.tsx')).UploadReplayPage),
  },
  {
    path: 'data',
    lazy: lazy(async () => (await import('../features/public-data/public-data-page.tsx')).PublicDataPage),
  },
  { path: 'batches/:number', lazy: lazy(async () => (await import('../features/batch/batch-page.tsx')).BatchPage) },
  {
    path: 'players/:username',
    lazy: lazy(async () => (await import('../features/player/player-page.tsx')).PlayerPage),
  },
  {
    path: 'profile/:username',
    lazy: lazy(async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
  },
];

const signedOut = [
  { path: 'login', lazy: lazy(async () => (await import('../features/auth/login-page.tsx')).LoginPage) },
  { path: 'register', lazy: lazy(async () => (await import('../features/auth/register-page.tsx')).RegisterPage) },
];

const signedIn = [
  { path: 'account', lazy: lazy(async () => (await import('../features/account/account-page.tsx')).AccountPage) },
];

const unverified = [
  {
    path: 'verify-account',
    lazy: lazy(async () => (await import('../features/auth/verify-account-page.tsx')).VerifyAccountPage),
  },
];

const verified = [
  {
    path: 'games/:jobId/bots/:username',
    lazy: lazy(async () => (await import('../features/bot-report/bot-report-page.tsx')).BotReportPage),
  },
  {
    path: 'dashboard',
    lazy: lazy(async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage),
  },
  {
    path: 'submission',
    lazy: lazy(async () => (await import('../features/submissions/submissions-page.tsx')).SubmissionsPage),
  },
  {
    path: 'leaderboard',
    lazy: lazy(async () => (await import('../features/leaderboard/leaderboard-page.tsx')).LeaderboardPage),
  },
  {
    path: 'directory',
    lazy: lazy(async () => (await import('../features/directory/directory-page.tsx')).DirectoryPage),
  },
  { path: 'profile', lazy: lazy(async () => (await import('../features/profile/profile-page.tsx')).ProfilePage) },
];

const admin = [
  { path: 'admin', lazy: lazy(async () => (await import('../features/admin/admin-page.tsx')).AdminPage) },
  {
    path: 'admin/audit',
    lazy: lazy(async () => (await import('../features/admin/audit-page.tsx')).AuditPage),
  },
  {
    path: 'admin/parked',
    lazy: lazy(async () => (await import('../features/admin/parked-page.tsx')).ParkedPage),
  },
  {
    path: 'admin/games',
    lazy: lazy(async () => (await import('../features/games/admin-games-page.tsx')).AdminGamesPage),
  },
  {
    path: 'simulation',
    lazy: lazy(async () => (await import('../features/simulation/simulation-page.tsx')).SimulationPage),
  },
  {
    path: 'llm-batch',
    lazy: lazy(async () => (await import('../features/llm-batch/llm-batch-page.tsx')).LlmBatchPage),
  },
  {
    path: 'container-manager',
    lazy: lazy(async () => (await import('../features/containers/containers-page.tsx')).ContainersPage),
  },
];

// The condition is constant in a build: the catalogue and its samples are not in the bundle.
const development = import.meta.env.DEV
  ? [{ path: 'dev/components', lazy: lazy(async () => (await import('../dev/catalogue-page.tsx')).CataloguePage) }]
  : [];

export const router = createBrowserRouter([
  {
    // Without the layout: shown in frames of other sites.
    path: 'embed/replay/:gameId',
    hydrateFallbackElement: <Loading />,
    errorElement: <RouteError />,
    lazy: lazy(async () => (await import('../features/replay/embed-page.tsx')).EmbedPage),
  },
  {
    // Without navigation and footer: shown on a screen that nobody operates.
    path: 'tv',
    hydrateFallbackElement: <Loading />,
    errorElement: <RouteError />,
    lazy: lazy(async () => (await import('../features/tv/tv-page.tsx')).TvPage),
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
