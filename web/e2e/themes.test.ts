// The light and the dark theme, on paper, and chunks that fail to load.
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { violations } from './axe.ts';
import { open, phone, visit } from './visitor.ts';

const { match, admin, verified, bots } = inject('world');

const screens = [
  {
    account: undefined,
    paths: [
      '/',
      '/games',
      `/games/${match.jobId}`,
      `/replay/${match.gameIds[1]}?step=4`,
      `/players/${bots[0]?.username}`,
    ],
  },
  { account: verified, paths: ['/bots', '/dashboard', '/submission', '/account'] },
  { account: admin, paths: ['/admin', '/simulation', '/admin/audit'] },
] as const;

test.each(screens)(
  'the light theme has no axe violations at $paths.0',
  async ({ account, paths }) => {
    const page = await visit(null, { theme: 'light', ...(account ? { account } : {}) });
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      await open(page, path);
      const broken = await violations(page);
      if (broken.length > 0) found[path] = broken;
    }
    expect(found).toEqual({});
  },
  180_000,
);

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

/** Waits for a colour of the page: under reduced motion every change is a transition of 0.01 ms. */
const expectGround = (page: Page, color: string) => expect.poll(() => ground(page), { timeout: 10_000 }).toBe(color);
const light = 'rgb(244, 246, 249)';
const dark = 'rgb(0, 0, 0)';

test('the theme follows the system until one is chosen, which survives a reload', async () => {
  const page = await visit('/', { theme: 'light', size: phone });
  await expectGround(page, light);
  await page.getByLabel('Theme').selectOption('dark');
  await expectGround(page, dark);
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await expectGround(page, dark);
  await page.getByLabel('Theme').selectOption('system');
  await expectGround(page, light);
});

test('the card table is dark in the light theme', async () => {
  const page = await visit(`/replay/${match.gameIds[1]}`, { theme: 'light' });
  const scheme = await page.locator('.felt-floor').evaluate((felt) => getComputedStyle(felt).colorScheme);
  expect(scheme).toBe('dark');
});

test('a match is printed in the light theme without navigation and buttons', async () => {
  const page = await visit(`/games/${match.jobId}`);
  await page.emulateMedia({ media: 'print' });
  // Paper has no ground.
  await expectGround(page, 'rgba(0, 0, 0, 0)');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
  expect(await page.locator('header, nav, footer, button:not(.legend button)').filter({ visible: true }).count()).toBe(
    0,
  );
  expect(await page.locator('h1').isVisible()).toBe(true);
});

test('a page whose chunk fails to load once is shown', async () => {
  const page = await visit('/');
  let failures = 0;
  await page.route(/\/assets\/about-page.*\.js$/, async (route) => {
    failures += 1;
    await (failures === 1 ? route.abort('connectionreset') : route.continue());
  });
  await page.getByRole('link', { name: 'About', exact: true }).first().click();
  await page.waitForURL('**/about');
  await page.getByRole('heading', { level: 1, name: /about/i }).waitFor();
  expect(failures).toBe(2);
});
