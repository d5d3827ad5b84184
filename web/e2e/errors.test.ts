import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { expectToast, jobRow } from './admin-steps.ts';
import { button, failuresIn, stubDetail } from './failures.ts';
import { open, pathOf, visibleText, visit } from './visitor.ts';
import { password, type World } from './world.ts';

const world: World = inject('world');
const { origin } = inject('platform');
const { match, privateMatch, admin, verified } = world;

/** Collects what a page logs to the browser's console from now on. */
function logsOf(page: Page): string[] {
  const logs: string[] = [];
  page.on('console', (message) => logs.push(message.text()));
  return logs;
}

const alertOf = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first();

async function logIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(secret);
  await button(page, 'Login').click();
}

test('401: a wrong password, and the same text for an unknown user', async () => {
  const page = await visit('/login');
  await button(page, 'Login').click();
  await alertOf(page, 'Please enter both username and password').waitFor();
  const logs = logsOf(page);
  for (const username of [verified.username, 'nobody-at-all']) {
    const responsePromise = page.waitForResponse('**/auth/login');
    await logIn(page, username, 'not the password');
    expect((await responsePromise).status(), username).toBe(401);
    await alertOf(page, 'Invalid credentials').waitFor();
  }
  expect(logs).toContain('Unauthorized access - redirecting to login');
  expect(pathOf(page)).toBe('/login');
});

test('a logout that the server refuses is logged, and signs out', async () => {
  const page = await visit('/dashboard', { account: verified });
  const logs = logsOf(page);
  await page.route('**/auth/logout', (route) => route.fulfill({ status: 500, body: '' }));
  await button(page, 'Logout').click();
  await page.getByRole('link', { name: 'Login' }).first().waitFor();
  await expect.poll(() => logs.join('\n')).toMatch(/Logout failed: ./);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('429: too many wrong passwords show the time to wait; the countdown of a resent mail survives a reload', async () => {
  const body = JSON.stringify({ username: 'sought-by-many', password: 'not the password' });
  const headers = { 'content-type': 'application/json' };
  const attempt = async () => (await fetch(`${origin}/auth/login`, { method: 'POST', headers, body })).status;
  await expect.poll(attempt, { timeout: 60_000, interval: 50 }).toBe(429);
  const page = await visit('/login');
  await logIn(page, 'sought-by-many', 'not the password');
  await alertOf(page, /again in|seconds|wait|too many/i).waitFor();
  const waiting = await visit('/verify-account', { account: world.unverified });
  const resend = waiting.getByRole('button', { name: /Resend/ });
  await resend.click();
  await expect.poll(() => visibleText(resend)).toMatch(/Resend in \d+s/);
  await waiting.reload();
  await expect.poll(() => visibleText(resend)).toMatch(/Resend in \d+s/);
  expect(await resend.isDisabled()).toBe(true);
});

test('422 and 400: registrations refused by the server, and by the form itself', async () => {
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
  const responsePromise = page.waitForResponse('**/auth/register');
  await fill('x', 'no address', password);
  const response = await responsePromise;
  expect(response.status()).toBe(422);
  await alertOf(page, (await response.json()).detail).waitFor();
  await fill(verified.username.toUpperCase(), 'other@test.invalid', password);
  await alertOf(page, /taken/).waitFor();
  await fill('someone', 'someone@test.invalid', 'short');
  await alertOf(page, /password/i).waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('someone');
});

test('413: a request that is too large shows the error of the server', async () => {
  const page = await visit('/login');
  await page.getByLabel('Password').fill('y');
  await page.getByLabel('Username').evaluate((input: HTMLInputElement, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, 'x'.repeat(300_000));
  const responsePromise = page.waitForResponse('**/auth/login');
  await button(page, 'Login').click();
  const response = await responsePromise;
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
  await jobRow(page, 'All system jobs', match.jobId)
    .getByRole('button', { name: /Delete/ })
    .first()
    .click();
  const responsePromise = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click();
  const response = await responsePromise;
  expect(response.status()).toBe(409);
  await alertOf(page, `Failed to delete job: ${(await response.json()).detail}`).waitFor();
});

test('400: a pool size below three, no selected container', async () => {
  const page = await visit('/container-manager', { account: admin });
  for (const size of ['2', '-1', '']) {
    await page.getByLabel('Target size').fill(size);
    await button(page, 'Scale Now').click();
    await expectToast(page, 'Target size must be at least 3');
  }
  await page.getByLabel('Target size').fill('100000');
  await button(page, 'Scale Now').click();
  await alertOf(page, /^Scaling failed\. ./).waitFor();
  await button(page, 'Fetch').click();
  await alertOf(page, 'Please select a container.').waitFor();
});

test.each([
  ['a visitor', undefined],
  ['an unverified user', 'unverified'],
  ['a verified user', 'verified'],
  ['an admin', 'admin'],
] as const)(
  '500 (stubbed responses): each page of %s shows an error text, and Retry repeats the call',
  async (_who, account) => {
    const page = await visit(null, account ? { account: world[account] } : {});
    const logs = logsOf(page);
    for (const { path, call, text, act, emptyBody } of failuresIn(world).filter(({ as }) => as === account)) {
      const body = emptyBody ? '' : JSON.stringify({ detail: stubDetail });
      await page.route(call, (route) =>
        route.request().resourceType() === 'document' || route.request().method() === 'OPTIONS'
          ? route.continue()
          : route.fulfill({ status: 500, contentType: 'application/json', body }),
      );
      await open(page, path);
      await act?.(page);
      await alertOf(page, text).waitFor();
      expect(logs.splice(0).join('\n'), text).toMatch(/^(GET|POST|DELETE) \/\S+ failed: ./m);
      expect(await page.locator('h1').count(), text).toBe(1);
      await page.unroute(call);
      const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
      if (act === undefined && (await retry.count()) > 0) {
        await retry.first().click();
        await expect.poll(() => page.getByRole('alert').count(), { message: text }).toBe(0);
      }
    }
  },
  300_000,
);

test('a page of games that cannot be loaded shows an error, and the first page stays', async () => {
  const page = await visit(null);
  await page.route('**/live/public-job-ids/paginated*', async (route) => {
    if (route.request().url().includes('page=2')) return route.fulfill({ status: 500, body: '' });
    // Simulates a second page: playing 101 public matches would take minutes.
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), has_next: true } });
  });
  await open(page, '/games');
  await button(page, 'Load more').click();
  await alertOf(page, 'Failed to load more games. Please try again later.').waitFor();
  await page.getByText(match.jobId).first().waitFor();
});

test('the page of a match without an id shows an error', async () => {
  const page = await visit('/games/%20');
  await alertOf(page, 'No job ID provided').waitFor();
});

test('a response that is not JSON leads to the fallback texts', async () => {
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

test('a page that throws shows the error boundary, not an empty page', async () => {
  const page = await visit(null);
  await page.route('**/live/public-job-ids/paginated*', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify({ jobs: [{ job_id: 1, players: null }] }) }),
  );
  await page.goto('/games');
  await page.locator('h1').first().waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
});
