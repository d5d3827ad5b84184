import { expect, inject, test } from 'vitest';
import { copiedText } from './admin-steps.ts';
import { open, pageErrors, phone, visit, waitUntilLoaded } from './visitor.ts';

const { match, admin } = inject('world');

test('the phone menu has the links and closes on a click on one of them and on Escape', async () => {
  const page = await visit('/', { account: admin, size: phone });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect.poll(() => menu.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Open menu' }).click();
  for (const name of ['Home', 'Games', 'Ladder', 'Submission', 'Dashboard', 'Leaderboard', 'Admin']) {
    await menu.getByRole('link', { name, exact: true }).waitFor();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('link', { name: 'Games', exact: true }).click();
  await page.waitForURL('**/games');
  await waitUntilLoaded(page);
  await expect.poll(() => menu.isVisible()).toBe(false);
});

test('the navigation bar shrinks after 10 px, the citation is copied from its dialog, the hash highlights a hand', async () => {
  const page = await visit(`/games/${match.jobId}`);
  expect(await page.locator('.bar-scrolled').count()).toBe(0);
  await page.mouse.wheel(0, 200);
  await page.locator('.bar-scrolled').waitFor();
  await page.getByRole('button', { name: 'Cite this work' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /copy/i }).click();
  await copiedText(page, /husky/i);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  const far = match.hands - 100;
  await open(page, `/games/${match.jobId}#game-${far}`);
  await page.locator(`#game-${far}.hand-row-marked`).waitFor();
  await expect.poll(() => page.locator('.hand-row-marked').count()).toBe(0);
});

test('each call that a click makes starts a trace of its own', async () => {
  const page = await visit(`/games/${match.jobId}`, { account: admin });
  const calls: { readonly path: string; readonly traceparent: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() === 'fetch') calls.push({ path: pathname, traceparent: request.headers().traceparent });
  });
  await page.getByRole('link', { name: 'Leaderboard', exact: true }).first().click();
  await page.waitForURL('**/leaderboard');
  await waitUntilLoaded(page);
  expect(calls.map(({ path }) => path)).toContainEqual(expect.stringContaining('/leaderboard'));
  for (const { path, traceparent } of calls) {
    expect(traceparent, path).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
  }
  expect(new Set(calls.map(({ traceparent }) => traceparent)).size).toBe(calls.length);
});

test('cards of the admin page are folded to one line and open on a tap', async () => {
  const page = await visit('/admin', { size: phone, account: admin });
  await page.getByLabel('Search users').fill(admin.username);
  const row = page
    .getByRole('table', { name: 'User management' })
    .getByRole('row', { name: `${admin.username} (You)` });
  const email = row.getByRole('cell', { name: /@/ });
  await row.waitFor();
  expect(await email.isVisible()).toBe(false);
  expect((await row.boundingBox())?.height).toBeLessThan(80);
  const button = row.getByRole('button', { name: `Details of ${admin.username}` });
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  await button.tap();
  await email.waitFor();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await button.tap();
  await email.waitFor({ state: 'hidden' });
  expect(pageErrors).toEqual([]);
});

test("a match's graph is compressed on its way, and its hands are confirmed by a 304", async () => {
  const page = await visit('/about');
  const sizes = await page.evaluate(async (path) => {
    await (await fetch(path, { headers: { Accept: 'application/json' } })).text();
    await (await fetch(path, { headers: { Accept: 'application/json' } })).text();
    const entries = performance.getEntriesByName(new URL(path, location.href).href) as PerformanceResourceTiming[];
    return entries.map(({ transferSize, encodedBodySize, decodedBodySize }) => ({
      transferSize,
      encodedBodySize,
      decodedBodySize,
    }));
  }, `/live/job/${match.jobId}/user-performance`);
  expect(sizes).toHaveLength(2);
  const [first, second] = sizes;
  expect(first?.encodedBodySize).toBeLessThan((first?.decodedBodySize ?? 0) / 2);
  // The second response has headers only: the body is the stored one.
  expect(second?.transferSize).toBeLessThan(first?.encodedBodySize ?? 0);
});
