import type { Page } from 'playwright-core';
import { pick } from './screen-list.ts';
import type { World } from './world.ts';

// No route of the server returns 500 on purpose: the responses for these texts are stubbed.
export const stubDetail = 'Internal error';
export interface Failure {
  readonly path: string;
  readonly call: string | RegExp;
  readonly text: string;
  readonly as?: 'admin' | 'verified' | 'unverified';
  readonly act?: (page: Page) => Promise<void>;
  /** Whether the response has no body. */
  readonly emptyBody?: boolean;
}

/** Returns the first button with the name. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
/** Searches the job first, because the list shows only the newest ones. */
const pressOfJob = (jobId: string, name: RegExp) => async (page: Page) => {
  await page.getByLabel('Search by job ID').fill(jobId);
  await button(page, new RegExp(`${name.source}.*${jobId}`)).click();
};
const pressAndConfirm = (name: RegExp) => async (page: Page) => {
  await button(page, name).click();
  await page.getByRole('dialog').getByRole('button').last().click();
};

/** Calls whose failure shows an error text on the page that makes them. */
export const failuresIn = (world: World): Failure[] => {
  const { match, privateMatch } = world;
  return [
    { path: '/', call: '**/leaderboard/board*', text: 'Failed to load leaderboard data.' },
    { path: '/leaderboard', as: 'verified', call: '**/leaderboard/top/100*', text: 'Failed to load leaderboard data.' },
    {
      path: '/games',
      call: '**/live/public-job-ids/paginated*',
      text: 'Failed to load games. Please try again later.',
    },
    {
      path: '/admin/games',
      as: 'admin',
      call: '**/live/job-ids*',
      text: 'Failed to load games. Please try again later.',
    },
    { path: `/games/${match.jobId}`, call: '**/live/job/*/games*', text: stubDetail },
    { path: `/games/${match.jobId}`, call: '**/live/job/*/games*', text: 'Failed to load games.', emptyBody: true },
    { path: `/games/${match.jobId}`, call: '**/live/job/*/user-performance', text: 'Failed to load performance data' },
    { path: `/replay/${match.gameIds[0]}`, call: '**/live/game/*', text: 'Failed to load game data.' },
    { path: '/container-manager', as: 'admin', call: '**/docker/pool/detailed', text: 'Failed to fetch containers.' },
    {
      path: '/container-manager',
      as: 'admin',
      call: '**/docker/pool/autoscaling',
      text: 'Failed to load autoscaling.',
    },
    {
      path: `/games/${match.jobId}`,
      call: '**/live/game/*',
      text: 'Failed to download raw log.',
      act: (page) => page.getByRole('button', { name: 'Get Raw Log of hand 1', exact: true }).click(),
    },
    {
      path: '/leaderboard',
      as: 'admin',
      call: '**/leaderboard/remove/*',
      text: 'Failed to delete entry.',
      act: pressAndConfirm(/^Delete the entry/),
    },
    {
      path: '/admin',
      as: 'admin',
      call: '**/admin/user/*',
      text: `Failed to delete user: ${stubDetail}`,
      act: pressAndConfirm(/^DELETE/),
    },
    {
      path: '/admin',
      as: 'admin',
      call: '**/admin/user/*',
      text: 'Failed to delete user: Unknown error',
      act: pressAndConfirm(/^DELETE/),
      emptyBody: true,
    },
    {
      path: '/admin',
      as: 'admin',
      call: '**/admin/verify-user/*',
      text: `Failed to update verification status: ${stubDetail}`,
      act: pressAndConfirm(/^UNVERIFY/),
    },
    {
      path: '/admin',
      as: 'admin',
      call: '**/admin/toggle-admin/*',
      text: `Failed to update admin status: ${stubDetail}`,
      act: pressAndConfirm(/^GRANT ADMIN/),
    },
    {
      path: '/admin',
      as: 'admin',
      call: '**/admin/delete-tournament-2025-job/*',
      text: 'Failed to remove job from 2025 leaderboard.',
      act: pressOfJob(match.jobId, /^Remove from 2025/),
    },
    {
      path: '/admin',
      as: 'admin',
      call: '**/admin/process-tournament-2025-job/*',
      text: 'Failed to process job for 2025 leaderboard.',
      act: pressOfJob(privateMatch.jobId, /^Add to 2025/),
    },
    {
      path: '/admin/games',
      as: 'admin',
      call: '**/admin/toggle-job-public/*',
      text: 'Failed to toggle public status. Please try again.',
      act: pressAndConfirm(/^MAKE P/),
    },
    {
      path: '/llm-batch',
      as: 'admin',
      call: '**/llm/batch-run',
      text: `Failed to create batch: ${stubDetail}`,
      act: async (page) => {
        await pick(page, world, 6);
        await page
          .locator('main button:not([disabled])')
          .filter({ hasText: /batch|run|start/i })
          .first()
          .click();
      },
    },
    {
      path: '/simulation',
      as: 'admin',
      call: '**/sim/async_run_user',
      text: `Failed to start simulation: ${stubDetail}`,
      act: async (page) => {
        await pick(page, world, 6);
        await button(page, 'INITIATE SIMULATION').click();
      },
    },
    {
      path: '/container-manager',
      as: 'admin',
      call: '**/docker/game-log/*',
      text: 'Failed to fetch log.',
      act: async (page) => {
        await page.getByLabel('Container', { exact: true }).selectOption({ index: 1 });
        await button(page, 'Fetch').click();
      },
    },
    {
      path: '/verify-account',
      as: 'unverified',
      call: '**/auth/resend-verification',
      text: stubDetail,
      act: (page) => page.getByRole('button', { name: /Resend/ }).click(),
    },
    {
      path: '/submission',
      as: 'verified',
      call: '**/submission/files/*',
      text: 'Failed to fetch file contents.',
      act: (page) => page.getByRole('button', { name: /Submission 1/ }).click(),
    },
    {
      path: '/submission',
      as: 'verified',
      call: '**/submission/mark_final',
      text: `Failed to mark the submission: ${stubDetail}`,
      // Not the newest upload, so it has no test run.
      act: pressAndConfirm(/^Mark Final/),
    },
    {
      path: '/profile',
      as: 'verified',
      call: '**/user/update',
      text: stubDetail,
      act: async (page) => {
        await button(page, 'Edit').click();
        await page.getByRole('button', { name: /Save/ }).click();
      },
    },
  ];
};
