import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { failingFiles, type World } from './world.ts';

export interface Screen {
  readonly name: string;
  readonly title: string;
  readonly as?: 'admin' | 'verified' | 'unverified';
  readonly path: (world: World) => string;
  /** Steps on the page before the screenshot. */
  readonly prepare?: (page: Page, world: World) => Promise<void>;
  /** Captures only the viewport, not the whole page. */
  readonly viewport?: true;
}

const fixture = join(import.meta.dirname, '../src/table/fixtures/match-2-hand-3.json');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 600;

/** Selects the first `count` players, each found by search, because a picker shows ten users a page. */
export async function pick(page: Page, world: World, count: number): Promise<void> {
  for (const { username } of world.bots.slice(0, count)) {
    await page.getByLabel('Search users').fill(username);
    await page.getByLabel(`Select ${username}`, { exact: true }).check();
  }
  await page.getByLabel('Search users').fill('');
}

/** Every screen of the app, in the order of the route table. */
export const screens: readonly Screen[] = [
  { name: 'home', title: 'Home', path: () => '/' },
  {
    name: 'menu',
    title: 'Menu and bar',
    as: 'admin',
    path: () => '/',
    viewport: true,
    prepare: async (page) => {
      if (isPhone(page)) await button(page, 'Open menu').click();
    },
  },
  {
    name: 'citation',
    title: 'Citation dialog',
    path: () => '/',
    viewport: true,
    prepare: (page) => button(page, 'Cite this work').click(),
  },
  {
    name: 'player',
    title: 'Player, compared with another one',
    path: ({ bots }) => `/players/${bots[0]?.username}?versus=${bots[1]?.username}`,
  },
  {
    name: 'player-statistics',
    title: 'Statistics of two bots',
    path: ({ bots }) => `/players/${bots[0]?.username}?view=statistics&versus=${bots[1]?.username}`,
  },
  { name: 'register', title: 'Register', path: () => '/register' },
  {
    name: 'register-error',
    title: 'Register, refused',
    path: () => '/register',
    prepare: async (page) => {
      await page.getByLabel('Username').fill('x');
      await page.getByLabel('Email').fill('not an address');
      await page.getByLabel('Password', { exact: true }).fill('short');
      await page.getByLabel('Confirm Password').fill('short');
      await button(page, 'Register').click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  { name: 'login', title: 'Login', path: () => '/login' },
  { name: 'forgot-password', title: 'Forgot password', path: () => '/forgot-password' },
  { name: 'reset-password', title: 'Reset password', path: () => '/reset-password/0' },
  { name: 'verify-account', title: 'Verify account', as: 'unverified', path: () => '/verify-account' },
  { name: 'verification-success', title: 'E-mail verified', path: () => '/verification-success' },
  { name: 'verification-failed', title: 'Link not valid', path: () => '/verification-success?error=invalid' },
  { name: 'about', title: 'About', path: () => '/about' },
  { name: 'bots', title: 'How to write a bot', path: () => '/bots' },
  { name: 'fairness', title: 'Fair cards', path: () => '/fairness' },
  { name: 'ladder', title: 'Ladder', path: () => '/ladder' },
  { name: 'tournaments', title: 'Tournaments', path: () => '/tournaments' },
  { name: 'methodology', title: 'How the standings are computed', path: () => '/methodology' },
  { name: 'dashboard', title: 'Dashboard', as: 'verified', path: () => '/dashboard' },
  {
    name: 'dashboard-upload',
    title: 'Dashboard, files chosen',
    as: 'verified',
    path: () => '/dashboard',
    prepare: async (page) => {
      await page.getByLabel('Or start from a template').selectOption({ index: 1 });
      await page.getByText('The files look right.').waitFor();
    },
  },
  {
    name: 'dashboard-failed-run',
    title: 'Dashboard, after a failed test run',
    as: 'verified',
    path: () => '/dashboard',
    prepare: async (page) => {
      await page.getByLabel('Choose files').first().setInputFiles(failingFiles());
      await button(page, 'Submit Bot').click();
      await page
        .getByText(/decisions failed: KeyError 3/)
        .first()
        .waitFor({ timeout: 60_000 });
    },
  },
  { name: 'challenge', title: 'Challenge', as: 'verified', path: ({ bots }) => `/challenge?to=${bots[0]?.username}` },
  {
    name: 'bot-report',
    title: "Bot report, another player's",
    as: 'admin',
    path: ({ match, bots }) => `/games/${match.jobId}/bots/${bots[0]?.username}`,
  },
  {
    name: 'submission',
    title: 'Submissions, one open',
    as: 'verified',
    path: () => '/submission',
    prepare: (page) => page.getByRole('button', { expanded: false, name: /Submission 1/ }).click(),
  },
  { name: 'trials', title: 'Is my new version better?', as: 'verified', path: () => '/trials' },
  { name: 'profile', title: 'Own profile', as: 'verified', path: () => '/profile' },
  {
    name: 'profile-edit',
    title: 'Profile, editing',
    as: 'verified',
    path: () => '/profile',
    prepare: (page) => button(page, 'Edit').click(),
  },
  { name: 'profile-public', title: 'Public profile', path: (world) => `/profile/${world.bots[3]?.username}` },
  {
    name: 'profile-admin',
    title: 'Profile, as an admin',
    as: 'admin',
    path: (world) => `/profile/${world.bots[3]?.username}`,
  },
  { name: 'profile-hostile', title: 'Profile with a hostile name', path: () => '/profile/hostile' },
  { name: 'account', title: 'Account', as: 'verified', path: () => '/account' },
  { name: 'leaderboard', title: 'Leaderboard', as: 'verified', path: () => '/leaderboard' },
  {
    name: 'standings',
    title: 'Standings with intervals',
    as: 'verified',
    path: () => '/leaderboard?view=standings',
    prepare: async (page) => {
      await page.getByRole('table').first().waitFor();
      await page.getByRole('img', { name: /95 % intervals/ }).scrollIntoViewIfNeeded();
      await page.locator('.main-svg').first().waitFor();
    },
  },
  { name: 'directory', title: 'User directory', as: 'verified', path: () => '/directory' },
  { name: 'tv', title: 'TV: the channel', path: () => '/tv' },
  { name: 'games', title: 'Games', path: () => '/games' },
  { name: 'job', title: 'A match', path: (world) => `/games/${world.match.jobId}` },
  { name: 'job-private', title: 'A private match', path: (world) => `/games/${world.privateMatch.jobId}` },
  { name: 'replay', title: 'Replay, first action', path: (world) => `/replay/${world.match.gameIds[1]}` },
  {
    name: 'replay-end',
    title: 'Replay, results',
    path: (world) => `/replay/${world.match.gameIds[1]}`,
    prepare: async (page) => {
      await page.keyboard.press('End');
      await page.getByText('GAME RESULTS').waitFor();
      await page.evaluate(() => window.scrollTo(0, 0));
    },
  },
  {
    name: 'replay-settings',
    title: 'Replay, table settings and keys',
    path: (world) => `/replay/${world.match.gameIds[1]}`,
    prepare: (page) => button(page, 'Settings').click(),
  },
  { name: 'replay-embedded', title: 'Embedded replay', path: (world) => `/embed/replay/${world.match.gameIds[1]}` },
  { name: 'public-data', title: 'Public data', path: () => '/data' },
  { name: 'upload-replay', title: 'Upload replay', path: () => '/upload-replay' },
  {
    name: 'upload-replay-shown',
    title: 'Uploaded replay',
    path: () => '/upload-replay',
    prepare: async (page) => {
      await page.getByLabel('Choose file').first().setInputFiles(fixture);
      await page.getByText('POKER REPLAY').waitFor();
    },
  },
  { name: 'access-denied', title: 'Access denied', as: 'verified', path: () => '/admin' },
  { name: 'not-found', title: 'Not found', path: () => '/no-such-page' },
  { name: 'admin', title: 'Admin dashboard', as: 'admin', path: () => '/admin' },
  {
    name: 'confirm',
    title: 'Confirm dialog',
    as: 'admin',
    path: () => '/admin',
    viewport: true,
    prepare: async (page) => {
      if (isPhone(page))
        await button(page, /^Details of/)
          .first()
          .click();
      await button(page, /^DELETE/)
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'admin-audit', title: 'Audit log', as: 'admin', path: () => '/admin/audit' },
  { name: 'admin-games', title: 'Admin games', as: 'admin', path: () => '/admin/games' },
  {
    name: 'simulation',
    title: 'Simulation control',
    as: 'admin',
    path: () => '/simulation',
    prepare: async (page, world) => {
      await pick(page, world, 3);
    },
  },
  {
    name: 'llm-batch',
    title: 'LLM batch, with its standing',
    as: 'admin',
    path: () => '/llm-batch',
    prepare: async (page, world) => {
      if ((await page.locator('.batch').count()) === 0) {
        await pick(page, world, 6);
        await button(page, 'CREATE BATCH').click();
      }
      const open = page.locator('.batch').first().getByRole('button', { name: 'Pause', exact: true });
      await open
        .or(page.getByRole('button', { name: 'Standing' }))
        .first()
        .waitFor();
      for (let looks = 0; looks < 60 && (await open.count()) > 0; looks++) {
        await button(page, 'Refresh').click();
        await page.waitForTimeout(1000);
      }
      await button(page, 'Standing').first().click();
      await page.getByRole('table', { name: 'Standing' }).waitFor();
      await page.evaluate(() => window.scrollTo(0, 0));
    },
  },
  { name: 'container-manager', title: 'Container manager', as: 'admin', path: () => '/container-manager' },
];
