import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { expectText } from './admin-steps.ts';
import { violations } from './axe.ts';
import { phone, visibleText, visit } from './visitor.ts';
import { type Account, registerVerified, startMatch, submit, type World } from './world.ts';

const world: World = inject('world');
const { origin } = inject('platform');
const api = new Api(origin);
const admin = api.as(world.admin.token);
let seats: readonly Account[] = [];

beforeAll(async () => {
  const slow = await registerVerified(api, world.admin, `table-${process.pid}`);
  await submit(api, slow, 'slow', true);
  seats = [slow, ...world.bots.filter((bot) => bot.username !== 'coin-flipper')];
});

/** Makes a match public or private. Retries, because live-data stores a new match slightly later than simulation. */
async function setPublic(jobId: string, isPublic: boolean): Promise<void> {
  const change = () => admin.post(`/admin/toggle-job-public/${jobId}`, { is_public: isPublic });
  const changed = () =>
    change().then(
      () => true,
      () => false,
    );
  await expect.poll(changed, { timeout: 20_000 }).toBe(true);
}

test('a spectator on a phone reaches the table of a match in play with one click; the table ends when the match becomes private or is deleted', async () => {
  const jobId = await startMatch(api, world.admin, seats, 6_000);
  await setPublic(jobId, true);
  type Now = { running: { job_id: string; watchers: number }[] };
  const now = async () => (await api.get<Now>('/live/now')).running.find((match) => match.job_id === jobId);
  await expect.poll(now, { timeout: 40_000 }).toBeDefined();

  const page = await visit('/', { size: phone });
  const table = page.getByRole('region', { name: 'Broadcast' });
  await page.getByRole('region', { name: 'Live now' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 1);
  await expectText(table, /Hand [\d,]+ of 6,000/);
  const clicked = performance.now();
  await table.locator(`a[href^="/games/${jobId}"]`).click();
  await page.waitForURL(`**/games/${jobId}*`);
  await expectText(table, /LIVE[\s\S]*Hand [\d,]+ of 6,000/);
  const seconds = (performance.now() - clicked) / 1000;
  process.stdout.write(`flow: spectator on a phone to a broadcast: 1 click, ${seconds.toFixed(1)} s\n`);
  await expectText(table, /As played at \d\d:\d\d, (live|\d+ \w+ behind)\./);
  await expectText(page.getByRole('list', { name: 'Standings at the table' }), new RegExp(`table-${process.pid}`));
  expect(await visibleText(page.getByRole('main'))).not.toMatch(/The match (has )?ended|No hand yet/);

  const tv = await visit('/tv');
  await expectText(tv.getByRole('region', { name: 'Broadcast' }), /Hand [\d,]+ of 6,000/);
  await expect.poll(async () => (await now())?.watchers, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);

  await table.getByRole('button', { name: 'Pause' }).click();
  await expectText(table, /Paused\. As played at/);
  expect(await violations(page)).toEqual([]);
  await table.getByLabel('Length').selectOption('Everything');
  await table.getByRole('button', { name: 'Newest hand' }).click();
  await table.getByRole('button', { name: 'Pause' }).waitFor();

  const owner = await visit(`/games/${jobId}`, { account: world.admin });
  const owned = owner.getByRole('region', { name: 'Broadcast' });
  await expectText(owned, /Hand [\d,]+ of 6,000/);
  await setPublic(jobId, false);
  await expectText(table, /This match is private\.[\s\S]*Watch another match/);
  await expectText(tv.getByRole('region', { name: 'Broadcast' }), /Hand [\d,]+ of 1,000/);
  await expectText(owned, /LIVE/);
  const headers = { Authorization: `Bearer ${world.admin.token}` };
  expect((await fetch(`${origin}/sim/job/${jobId}`, { method: 'DELETE', headers })).status).toBe(200);
  await expectText(owned, 'This match was deleted.');
});

const sizes = { laptop: { width: 1366, height: 768 }, phone };

test.each(Object.entries(sizes))(
  'the broadcast of a match that has just ended is above the fold on a %s',
  async (_, size) => {
    const page = await visit(`/games/${world.match.jobId}`, { size });
    const felt = page.locator('.broadcast .felt');
    await expect
      .poll(async () => ((await felt.boundingBox())?.y ?? 0) + ((await felt.boundingBox())?.height ?? Infinity))
      .toBeLessThanOrEqual(size.height);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expectText(page.getByRole('region', { name: 'Broadcast' }), /Finished|As played/);
    await expectText(page.getByRole('region', { name: 'Swings' }), /Hand #\d+ .* equity/);
  },
);

const hall = { width: 1920, height: 1080 };

/** Returns the sizes of the texts in pixels: the smallest of the seats' names and of all, and what lies beyond the screen. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const texts = [...document.querySelectorAll('.tv *')].filter(
      (element) =>
        element.checkVisibility({ opacityProperty: true }) &&
        element.closest('.visually-hidden, .broadcast-controls, .button') === null &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    );
    const beyond = texts.filter((element) => {
      const { bottom, right, top, left } = element.getBoundingClientRect();
      return bottom > window.innerHeight + 1 || right > window.innerWidth + 1 || top < -1 || left < -1;
    });
    return {
      names: Math.min(...[...document.querySelectorAll('.seat-name')].map(sizeOf)),
      least: Math.min(...texts.map(sizeOf)),
      beyond: beyond.map((element) => element.textContent),
      scrolls: document.documentElement.scrollHeight > window.innerHeight,
    };
  });

test('/tv is readable in a hall, hides its controls, shows the result and keeps the picture while the server is away', async () => {
  const page = await visit('/tv', { size: hall });
  const table = page.getByRole('region', { name: 'Broadcast' });
  await expectText(table, /Hand [\d,]+\s+Pot \$[\d,]+/);
  const { names, least, ...rest } = await measure(page);
  expect(names).toBeGreaterThanOrEqual(28);
  expect(least).toBeGreaterThanOrEqual(22);
  expect(rest).toEqual({ beyond: [], scrolls: false });
  const shown = () => page.locator('.broadcast-controls').evaluate((element) => getComputedStyle(element).opacity);
  await expect.poll(shown, { timeout: 8_000 }).toBe('0');
  await page.mouse.move(400, 400);
  await expect.poll(shown).toBe('1');
  expect(await violations(page)).toEqual([]);
  await table.getByRole('button', { name: 'Newest hand' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expectText(result, /1\.[\s\S]*in hand \d+[\s\S]*6\.[\s\S]*Next: /);
  expect(await measure(page)).toMatchObject({ beyond: [], scrolls: false });
  await table.waitFor({ timeout: 20_000 });
  await page.locator('.felt').waitFor();
  await page.route('**/live/**', (route) => route.abort());
  await expectText(page.getByRole('main'), /The server cannot be reached\./);
  expect(await page.locator('.felt').isVisible()).toBe(true);
});

test('/tv and home of a platform without a public match show the house bots, labelled as an exhibition', async () => {
  for (const path of ['/tv', '/']) {
    const page = await visit(null, { size: hall });
    await page.route('**/live/now', (route) => route.fulfill({ json: { running: [], finished: [] } }));
    await page.route('**/live/public-job-ids/**', (route) => route.fulfill({ json: { jobs: [], total_count: 0 } }));
    await page.goto(path);
    // Home's broadcast begins at the visitor's first sign.
    await page.mouse.wheel(0, 1);
    const table = page.getByRole('region', { name: 'Broadcast' });
    await expectText(table, /Exhibition: the house bots play until the first public match\./);
    await expectText(table, /Hand \d+ of 20/);
    await table.locator('.seat').first().waitFor();
  }
});
