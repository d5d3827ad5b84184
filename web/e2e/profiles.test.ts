import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { horizontalOverflow, open, pageErrors, phone, registerOn, visibleText, visit } from './visitor.ts';
import { endOfMatch, registerVerified, startMatch, submit } from './world.ts';

const { origin } = inject('platform');
const { admin, verified } = inject('world');
const api = new Api(origin);
const unique = Date.now().toString(36);

const stats = async (page: Page) =>
  (await visibleText(page.getByRole('region', { name: 'Performance Stats' }))).replaceAll(/\s+/g, ' ');

test('a profile shows the number of submissions to its owner and admins, with the name in any case; others see scores', async () => {
  const owner = await registerVerified(api, admin, `Owner-${unique}`);
  await submit(api, owner, 'calling-station', false);
  await submit(api, owner, 'pot-odds', false);
  const { files } = await api.as(owner.token).get<{ files: { created_at: string }[] }>('/submission/list');
  const page = await visit(`/profile/${owner.username.toUpperCase()}`, { account: owner });
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByRole('heading', { name: owner.username, exact: true }).waitFor();
  expect(await stats(page)).toMatch(/Submissions 2 .*Last Submission \w+ \d/i);
  const year = new Date(files[0]?.created_at ?? '').getFullYear();
  expect(await stats(page)).toContain(String(year));

  const asAdmin = await visit(`/profile/${owner.username.toLowerCase()}`, { account: admin });
  expect(await stats(asAdmin)).toMatch(/Submissions 2 /i);
  for (const account of [verified, undefined]) {
    const seen = await visit(`/profile/${owner.username}`, { ...(account ? { account } : {}), size: phone });
    expect(await stats(seen)).toMatch(/Scores 0 .*Last Score —/i);
    expect(await stats(seen)).not.toMatch(/submission/i);
    expect(await seen.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  }
  expect(pageErrors).toEqual([]);
});

/** Returns the texts with one of the names that are truncated or overflow their box. */
const truncatedTexts = (page: Page, names: readonly string[]) =>
  page.evaluate(
    (all) =>
      [...document.querySelectorAll<HTMLElement>('main *:not(.visually-hidden)')].flatMap((element) => {
        const text = element.textContent ?? '';
        if (!all.some((name) => text.includes(name)) || element.children.length > 0) return [];
        for (let box: HTMLElement | null = element; box; box = box.parentElement) {
          const clips = getComputedStyle(box).overflowX !== 'visible';
          if (clips && box.tagName !== 'MAIN' && box.scrollWidth > box.clientWidth) return [text];
        }
        return [];
      }),
    names,
  );

/** Returns the parts of names between separators that are broken over two lines. */
const brokenParts = (page: Page): Promise<string[]> =>
  page.locator('.name').evaluateAll((names) =>
    names
      .flatMap((name) => [...name.childNodes])
      .filter((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return (
          !/\s/.test(part.textContent ?? '') && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
        );
      })
      .map((part) => part.textContent ?? ''),
  );

test('names of 32 characters that differ in the last one are shown completely', async () => {
  const stem = `${unique}-a-model-with-a-long-name-`.padEnd(31, 'x').slice(0, 31);
  const players = [];
  for (const last of ['1', '2', '3', '4', '5', '6']) {
    const player = await registerVerified(api, admin, `${stem}${last}`);
    await submit(api, player, 'patient', true);
    players.push(player);
  }
  const names = players.map((player) => player.username);
  const jobId = await startMatch(api, admin, players, 3);
  const [game] = await endOfMatch(api, admin, jobId);
  for (const size of [{ width: 1400, height: 900 }, phone]) {
    const page = await visit(`/games/${jobId}`, { account: admin, size });
    await page.getByRole('region', { name: 'Job Final Result' }).waitFor();
    await page.getByRole('region', { name: 'FINAL RANKINGS' }).waitFor();
    for (const region of ['Job Final Result', 'PLAYER LEGEND', 'FINAL RANKINGS']) {
      const text = await page.getByRole('region', { name: region }).textContent();
      for (const name of names) expect(text, region).toContain(name);
    }
    expect(await truncatedTexts(page, names), `job at ${size.width}`).toEqual([]);
    expect(await brokenParts(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    await open(page, '/admin/games');
    await page
      .getByText(names[0] ?? '')
      .first()
      .waitFor();
    expect(await truncatedTexts(page, names), `admin games at ${size.width}`).toEqual([]);

    // At the table names are cut to 20 characters; the title has the whole name.
    await open(page, `/replay/${game?.game_id}`);
    const shown = page.locator('.seat-name bdi');
    await shown.first().waitFor();
    expect(await shown.allTextContents()).toEqual(names.map(() => `${stem.slice(0, 20)}…`));
    const titles = await shown.evaluateAll((all) => all.map((element) => element.getAttribute('title')));
    expect([...titles].sort()).toEqual(names);
    expect(await truncatedTexts(page, [stem.slice(0, 12)]), `replay at ${size.width}`).toEqual([]);
  }
});

test('the resend button counts down after the registration, and a reload keeps the countdown', async () => {
  const username = `resend-${unique}`;
  const page = await visit('/register', { size: phone });
  await registerOn(page, username);
  const resend = page.getByRole('button', { name: /Resend/ });
  await expect.poll(() => visibleText(resend)).toMatch(/^Resend in \d+s$/);
  expect(await resend.isDisabled()).toBe(true);
  await page.reload();
  await expect.poll(() => visibleText(resend)).toMatch(/^Resend in \d+s$/);
});
