import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { violations } from './axe.ts';
import { screens } from './screen-list.ts';
import { desktop, horizontalOverflow, open, phone, visit } from './visitor.ts';

const world = inject('world');
const { match, admin, verified, bots } = world;

/** Pages beside those of the screens. */
const more: Partial<Record<string, readonly string[]>> = {
  anonymous: [
    '/bots/debug',
    '/kit',
    `/replay/${match.gameIds[1]}?mode=results&step=4`,
    `/profile/${bots[0]?.username}`,
    '/batches/987654',
  ],
  verified: ['/'],
};
/** Returns the widths at which the page scrolls horizontally. */
async function scrollingWidths(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    // Graphs are drawn again in another width.
    const overflow = expect.poll(() => horizontalOverflow(page), { timeout: 2000 });
    await overflow.toBe(0).catch(() => found.push(`scrolls horizontally at ${width} px`));
  }
  return found;
}

test.each(['anonymous', 'unverified', 'verified', 'admin'] as const)(
  'the pages of %s have no axe violations and scroll horizontally at no width, on a desktop and a phone',
  async (name) => {
    const account = name === 'anonymous' ? undefined : world[name];
    const own = screens.filter(({ as = 'anonymous' }) => as === name).map(({ path }) => path(world));
    const page = await visit(null, { account });
    const session = await page.context().newCDPSession(page);
    const touch = (enabled: boolean) => session.send('Emulation.setTouchEmulationEnabled', { enabled });
    const found: Record<string, string[]> = {};
    for (const path of new Set([...own, ...(more[name] ?? [])])) {
      await page.setViewportSize(desktop);
      await touch(false);
      await open(page, path);
      const broken = await violations(page);
      broken.push(...(await scrollingWidths(page, [desktop.width])));
      await touch(true);
      broken.push(...(await scrollingWidths(page, [320, 360, phone.width])), ...(await violations(page)));
      if (broken.length > 0) found[path] = broken;
    }
    expect(found).toEqual({});
  },
  600_000,
);

test('dialogs, phone menu, a filled upload and a toast have no axe violations', async () => {
  const page = await visit('/dashboard', { account: verified });
  await page.getByLabel('Or start from a template').selectOption({ index: 1 });
  await page.getByText('The files look right.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cite this work' }).click();
  expect(await violations(page)).toEqual([]);
  const administration = await visit('/container-manager', { account: admin });
  await administration.getByRole('button', { name: 'Fetch', exact: true }).click();
  await administration.getByText('Please select a container.').waitFor();
  expect(await violations(administration)).toEqual([]);
  const small = await visit('/', { size: phone, account: admin });
  await small.getByRole('button', { name: 'Open menu' }).click();
  expect(await violations(small)).toEqual([]);
});

test('no page scrolls horizontally at 768, 1024, 2560 and 3840 px', async () => {
  const page = await visit(null, { account: verified });
  const found: Record<string, string[]> = {};
  for (const path of ['/', '/dashboard', `/games/${match.jobId}`, `/replay/${match.gameIds[1]}`, '/submission']) {
    await open(page, path);
    const widths = await scrollingWidths(page, [768, 1024, 2560, 3840]);
    if (widths.length > 0) found[path] = widths;
  }
  expect(found).toEqual({});
});

test('a replay, the tabs and the dialogs are usable by keyboard alone', async () => {
  const page = await visit(`/replay/${match.gameIds[1]}`);
  await page.keyboard.press('ArrowRight');
  await page.getByText(/Action 2 of \d+/).waitFor();
  await page.keyboard.press('End');
  await page.getByText('GAME RESULTS').waitFor();
  await page.keyboard.press('Home');
  await page
    .getByText(/Action 1 of \d+/)
    .first()
    .waitFor();
  await open(page, '/');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  const cite = page.getByRole('button', { name: 'Cite this work' });
  await cite.focus();
  await page.keyboard.press('Enter');
  for (let stops = 0; stops < 6; stops++) await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => cite.evaluate((element) => element === document.activeElement)).toBe(true);
});
