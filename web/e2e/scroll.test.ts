import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { screens } from './screen-list.ts';
import { desktop, open, phone, visit, waitUntilLoaded } from './visitor.ts';

const world = inject('world');
/** Every kind of page: text, lists, graphs, tables that open later, forms, and pages that need a sign-in. */
const kinds =
  'home about fairness ladder bots leaderboard standings directory games job replay public-data player-statistics profile dashboard bot-report admin admin-audit admin-games container-manager';
const rendered = kinds.split(' ').map((kind) => {
  const screen = screens.find(({ name }) => name === kind);
  if (screen === undefined) throw new Error(`there is no screen ${kind}`);
  return screen;
});

const scrollY = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

/** Waits until the page has been at one place and of one height for a second, with no request under way. */
async function settledAt(page: Page): Promise<number> {
  await waitUntilLoaded(page);
  await page.waitForFunction(async () => {
    const measure = () =>
      `${window.scrollY} ${document.body.scrollHeight} ${performance.getEntriesByType('resource').length}`;
    const before = measure();
    await new Promise((resolve) => setTimeout(resolve, 700));
    return before === measure();
  });
  return scrollY(page);
}

/** Scrolls over the whole page, so that every part is loaded, and then to a place in the middle. */
async function scrollToMiddle(page: Page): Promise<number> {
  for (let at = 0; at < (await page.evaluate(() => document.body.scrollHeight)); at += 600) {
    await page.evaluate((to) => window.scrollTo(0, to), at);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await settledAt(page);
  await page.evaluate(() => window.scrollTo(0, 0.7 * (document.documentElement.scrollHeight - window.innerHeight)));
  return scrollY(page);
}

/** Opens a screen from another page, and expects it at its top; after reload and Back at the place to which it was scrolled. */
async function expectPlaces(screen: (typeof rendered)[number]): Promise<void> {
  const account = screen.as && world[screen.as];
  const path = screen.path(world);
  const page = await visit(path === '/methodology' ? '/fairness' : '/methodology', {
    size: screen.name === 'games' ? phone : desktop,
    ...(account && { account }),
  });
  const scrollTo = (top: number) => page.evaluate((to) => window.scrollTo(0, to), top);
  await expect.poll(() => scrollTo(900).then(() => scrollY(page)), { timeout: 20_000 }).toBe(900);

  await open(page, path);
  expect(await settledAt(page), screen.name).toBe(0);
  const title = await page.locator('h1').first().boundingBox();
  expect(title?.y, screen.name).toBeLessThan(desktop.height / 2);

  const place = await scrollToMiddle(page);
  if (place === 0) return;
  await page.reload();
  await expect.poll(() => scrollY(page), { timeout: 10_000, message: screen.name }).toBeCloseTo(place, -1);
  expect(await settledAt(page), screen.name).toBeCloseTo(place, -1);

  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'Local kit' })
    .evaluate((link: HTMLElement) => link.click());
  await page.waitForURL('**/kit');
  await expect.poll(() => scrollY(page), { message: screen.name }).toBe(0);
  await page.goBack();
  await expect.poll(() => scrollY(page), { message: screen.name }).toBeCloseTo(place, -1);
}

// They mostly wait until a page stands still, so several are open at a time.
const together = Array.from({ length: Math.ceil(rendered.length / 5) }, (_, at) => rendered.slice(5 * at, 5 * at + 5));

test.each(together.map((some) => ({ some, names: some.map(({ name }) => name).join(', ') })))(
  '$names open at their top; reload and Back return to the place',
  { timeout: 120_000 },
  async ({ some }) => {
    await Promise.all(some.map(expectPlaces));
  },
);

test.each([
  { path: '/fairness#who-can-gain-what' },
  { path: '/about#open' },
  { path: '/admin#event-settings' },
  { path: `/games/${world.match.jobId}#game-${world.match.hands - 100}` },
])('$path shows its anchor, when typed, reloaded and after Back', async ({ path }) => {
  const page = await visit('/methodology', { account: world.admin });
  const anchor = page.locator(`[id="${path.split('#')[1]}"]`);
  const shown = async () => {
    await settledAt(page);
    const { y = -1 } = (await anchor.boundingBox()) ?? {};
    return y > 0 && y < desktop.height;
  };
  await page.goto(path);
  expect(await shown()).toBe(true);
  await page.reload();
  expect(await shown()).toBe(true);
  await open(page, '/about');
  await page.goBack();
  expect(await shown()).toBe(true);
});
