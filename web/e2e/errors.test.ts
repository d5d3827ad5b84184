import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { pick } from './screen-list.ts';
import { open, visibleText, visit } from './visitor.ts';
import { password, type World } from './world.ts';

const world: World = inject('world');
const { match, privateMatch, admin, verified } = world;

const alertOf = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();

async function logIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(secret);
  await button(page, 'Login').click();
}

test('401: a wrong password, and the same words for an unknown user', async () => {
  const page = await visit('/login');
  await button(page, 'Login').click();
  await alertOf(page, 'Please enter both username and password').waitFor();
  for (const username of [verified.username, 'nobody-at-all']) {
    await logIn(page, username, 'not the password');
    await alertOf(page, 'Invalid credentials').waitFor();
  }
});

test('429: too many wrong passwords are told how long to wait; a mail asked for again counts down over a reload', async () => {
  const page = await visit('/login');
  await expect
    .poll(
      async () => {
        await logIn(page, 'sought-by-many', 'not the password');
        await expect.poll(() => button(page, 'Login').count()).toBe(1);
        return visibleText(page.getByRole('alert').first());
      },
      { timeout: 60_000, interval: 50 },
    )
    .toMatch(/again in|seconds|wait|too many/i);
  const waiting = await visit('/verify-account', { account: world.unverified });
  const resend = waiting.getByRole('button', { name: /Resend/ });
  await resend.click();
  await expect.poll(() => visibleText(resend)).toMatch(/Resend in \d+s/);
  await waiting.reload();
  await expect.poll(() => visibleText(resend)).toMatch(/Resend in \d+s/);
  expect(await resend.isDisabled()).toBe(true);
});

test('422 and 400: a registration the server refuses, beside what the form itself refuses', async () => {
  const page = await visit('/register');
  const fill = async (username: string, email: string, first: string, second = first) => {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(first);
    await page.getByLabel('Confirm Password').fill(second);
    await button(page, 'Register').click();
  };
  await fill('someone', '', password);
  await alertOf(page, 'Please fill in all fields').waitFor();
  await fill('someone', 'someone@test.invalid', password, 'another passphrase');
  await alertOf(page, 'Passwords do not match').waitFor();
  const answer = page.waitForResponse('**/auth/register');
  await fill('x', 'no address', password);
  const response = await answer;
  expect(response.status()).toBe(422);
  await alertOf(page, (await response.json()).detail).waitFor();
  await fill(verified.username.toUpperCase(), 'other@test.invalid', password);
  await alertOf(page, /taken/).waitFor();
  await fill('someone', 'someone@test.invalid', 'short');
  await alertOf(page, /password/i).waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('someone');
});

test('413: what is too large for the server is refused with its sentence', async () => {
  const page = await visit('/login');
  await page.getByLabel('Password').fill('y');
  await page.getByLabel('Username').evaluate((input: HTMLInputElement, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, 'x'.repeat(300_000));
  const answer = page.waitForResponse('**/auth/login');
  await button(page, 'Login').click();
  const response = await answer;
  expect(response.status()).toBe(413);
  await alertOf(page, (await response.json()).detail).waitFor();
});

test('403 and 404: private and unknown games, matches and profiles', async () => {
  const page = await visit(`/replay/${privateMatch.gameId}`);
  await alertOf(page, 'This game is private and cannot be accessed.').waitFor();
  await open(page, '/replay/00000000-0000-0000-0000-000000000000');
  await alertOf(page, 'Game not found.').waitFor();
  await open(page, '/replay/..%2Fadmin');
  await alertOf(page, /Game not found\.|Failed to load game data\./).waitFor();
  await open(page, `/games/${privateMatch.jobId}`);
  await alertOf(page, 'This performance data is private and cannot be accessed.').waitFor();
  await open(page, '/games/00000000-0000-0000-0000-000000000000');
  await page.getByRole('alert').first().waitFor();
  await open(page, '/profile/nobody-at-all');
  await page.getByText('User not found').waitFor();
  expect(await page.getByText('404').count()).toBeGreaterThan(0);
});

test('409: a match on the 2025 board cannot be deleted', async () => {
  const page = await visit('/admin', { account: admin });
  await page.getByLabel('Search by job ID').fill(match.jobId);
  const row = page
    .getByRole('table', { name: 'All system jobs' })
    .getByRole('row')
    .filter({ hasText: 'Remove from 2025' });
  await row
    .getByRole('button', { name: /Delete/ })
    .first()
    .click();
  const answer = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click();
  const response = await answer;
  expect(response.status()).toBe(409);
  await alertOf(page, `Failed to delete job: ${(await response.json()).detail}`).waitFor();
});

test('400: a pool below three, no container chosen', async () => {
  const page = await visit('/container-manager', { account: admin });
  for (const size of ['2', '-1', '']) {
    await page.getByLabel('Target size').fill(size);
    await button(page, 'Scale Now').click();
    await alertOf(page, 'Target size must be at least 3').waitFor();
    await page.getByRole('button', { name: 'Dismiss message' }).first().click();
  }
  await page.getByLabel('Target size').fill('100000');
  await button(page, 'Scale Now').click();
  await alertOf(page, /^Scaling failed\. ./).waitFor();
  await button(page, 'Fetch').click();
  await alertOf(page, 'Please select a container.').waitFor();
});

// A server that answers 500 on purpose does not exist: for these texts the answers are put in the server's place.
const broken = 'Internal error';
type Failure = {
  readonly path: string;
  readonly call: string | RegExp;
  readonly text: string;
  readonly as?: 'admin' | 'verified' | 'unverified';
  readonly act?: (page: Page) => Promise<void>;
};
const confirm = (page: Page) => page.getByRole('dialog').getByRole('button').last().click();
const failures: Failure[] = [
  { path: '/', call: '**/leaderboard/top/20*', text: 'Failed to load leaderboard data.' },
  { path: '/leaderboard', as: 'verified', call: '**/leaderboard/top/100*', text: 'Failed to load leaderboard data.' },
  { path: '/games', call: '**/live/public-job-ids/paginated*', text: 'Failed to load games. Please try again later.' },
  {
    path: '/admin/games',
    as: 'admin',
    call: '**/live/job-ids*',
    text: 'Failed to load games. Please try again later.',
  },
  { path: `/games/${match.jobId}`, call: '**/live/job/*/games*', text: broken },
  { path: `/games/${match.jobId}`, call: '**/live/job/*/user-performance', text: 'Failed to load performance data' },
  { path: `/replay/${match.gameIds[0]}`, call: '**/live/game/*', text: 'Failed to load game data.' },
  { path: '/container-manager', as: 'admin', call: '**/docker/pool/detailed', text: 'Failed to fetch containers.' },
  { path: '/container-manager', as: 'admin', call: '**/docker/pool/autoscaling', text: 'Failed to load autoscaling.' },
  {
    ...{ path: `/games/${match.jobId}`, call: '**/live/game/*', text: 'Failed to download raw log.' },
    act: (page) => page.getByRole('button', { name: 'Get Raw Log of hand 1', exact: true }).click(),
  },
  {
    ...{ path: '/leaderboard', as: 'admin', call: '**/leaderboard/remove/*', text: 'Failed to delete entry.' },
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Delete the entry/ })
        .first()
        .click();
      await confirm(page);
    },
  },
  {
    ...{ path: '/admin', as: 'admin', call: '**/admin/user/*', text: `Failed to delete user: ${broken}` },
    act: async (page) => {
      await page
        .getByRole('button', { name: /^DELETE/ })
        .first()
        .click();
      await confirm(page);
    },
  },
  {
    ...{ path: '/admin', as: 'admin', call: '**/admin/verify-user/*' },
    text: `Failed to update verification status: ${broken}`,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^UNVERIFY/ })
        .first()
        .click();
      await confirm(page);
    },
  },
  {
    ...{
      path: '/admin',
      as: 'admin',
      call: '**/admin/toggle-admin/*',
      text: `Failed to update admin status: ${broken}`,
    },
    act: async (page) => {
      await page
        .getByRole('button', { name: /^GRANT ADMIN/ })
        .first()
        .click();
      await confirm(page);
    },
  },
  {
    ...{ path: '/admin', as: 'admin', call: '**/admin/delete-tournament-2025-job/*' },
    text: 'Failed to remove job from 2025 leaderboard.',
    act: (page) =>
      page
        .getByRole('button', { name: /^Remove from 2025/ })
        .first()
        .click(),
  },
  {
    ...{ path: '/admin', as: 'admin', call: '**/admin/process-tournament-2025-job/*' },
    text: 'Failed to process job for 2025 leaderboard.',
    act: (page) =>
      page
        .getByRole('button', { name: /^Add to 2025/ })
        .first()
        .click(),
  },
  {
    ...{ path: '/admin/games', as: 'admin', call: '**/admin/toggle-job-public/*' },
    text: 'Failed to toggle public status. Please try again.',
    act: (page) =>
      page
        .getByRole('button', { name: /^MAKE P/ })
        .first()
        .click(),
  },
  {
    ...{ path: '/llm-batch', as: 'admin', call: '**/llm/batch-run', text: `Failed to create batch: ${broken}` },
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
    ...{
      path: '/simulation',
      as: 'admin',
      call: '**/sim/async_run_user',
      text: `Failed to start simulation: ${broken}`,
    },
    act: async (page) => {
      await pick(page, world, 6);
      await button(page, 'INITIATE SIMULATION').click();
    },
  },
  {
    ...{ path: '/container-manager', as: 'admin', call: '**/docker/game-log/*', text: 'Failed to fetch log.' },
    act: async (page) => {
      await page.getByLabel('Container', { exact: true }).selectOption({ index: 1 });
      await button(page, 'Fetch').click();
    },
  },
  {
    ...{ path: '/verify-account', as: 'unverified', call: '**/auth/resend-verification', text: broken },
    act: (page) => page.getByRole('button', { name: /Resend/ }).click(),
  },
  {
    ...{ path: '/submission', as: 'verified', call: '**/submission/files/*', text: 'Failed to fetch file contents.' },
    act: (page) => page.getByRole('button', { name: /Submission 1/ }).click(),
  },
  {
    ...{ path: '/submission', as: 'verified', call: '**/submission/mark_final' },
    text: `Failed to mark the submission: ${broken}`,
    act: (page) =>
      page
        .getByRole('button', { name: /^Mark Final/ })
        .first()
        .click(),
  },
  {
    ...{ path: '/profile', as: 'verified', call: '**/user/update', text: broken },
    act: async (page) => {
      await button(page, 'Edit').click();
      await page.getByRole('button', { name: /Save/ }).click();
    },
  },
];

test.each(failures)('500 (put in the place of the answer): $text, on $path', async ({ path, call, text, as, act }) => {
  const page = await visit(null, as ? { account: world[as] } : {});
  await page.route(call, (route) =>
    route.request().resourceType() === 'document' || route.request().method() === 'OPTIONS'
      ? route.continue()
      : route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ detail: broken }) }),
  );
  await open(page, path);
  await act?.(page);
  await alertOf(page, text).waitFor();
  expect(await page.locator('h1').count()).toBe(1);
  const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
  if (act === undefined && (await retry.count()) > 0) {
    await page.unroute(call);
    await retry.first().click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  }
});

test('an answer that is no JSON gives the fallback texts', async () => {
  const page = await visit('/login');
  await page.route('**/auth/*', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }),
  );
  await logIn(page, 'someone', password);
  await alertOf(page, 'Login failed. Please try again.').waitFor();
  await open(page, '/register');
  await page.getByLabel('Username').fill('someone');
  await page.getByLabel('Email').fill('someone@test.invalid');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await button(page, 'Register').click();
  await alertOf(page, 'An unexpected error occurred. Please try again.').waitFor();
  const waiting = await visit('/verify-account', { account: world.unverified });
  await waiting.evaluate(() => localStorage.removeItem('husky.cooldown.verification'));
  await waiting.reload();
  await waiting.route('**/auth/resend-verification', (route) => route.fulfill({ status: 502, body: '' }));
  await waiting.getByRole('button', { name: 'Resend Verification Email' }).click();
  await alertOf(waiting, 'Failed to send verification email. Please try again.').waitFor();
});

test('a page that throws shows the error boundary, not a white page', async () => {
  const page = await visit(null);
  await page.route('**/live/public-job-ids/paginated*', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify({ jobs: [{ job_id: 1, players: null }] }) }),
  );
  await page.goto('/games');
  await page.locator('h1').first().waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
});
