// The standings of a batch and of the leaderboard, on a real batch of one match, and pages on paper.
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { asAdmin, finishedBatchNumber, startBatch } from './admin-steps.ts';
import { violations } from './axe.ts';
import { desktop, horizontalOverflow, open, pageErrors, phone, visibleText, visit } from './visitor.ts';
import type { World } from './world.ts';

const world: World = inject('world');
const { origin } = inject('platform');
const { bots, verified } = world;
const [ann = '', ben = ''] = bots.map(({ username }) => username);

test('the Standings of a batch: points with intervals, who is better, CSV; nothing of a private batch', async () => {
  const createdId = await startBatch(bots);
  const number = await finishedBatchNumber(createdId);
  const stranger = await visit(`/batches/${number}`);
  await stranger.getByRole('heading', { name: 'Batch not found' }).waitFor();
  const { status } = await fetch(`${origin}/live/standings?batch=${number}`);
  expect(status).toBe(404);

  await asAdmin.post(`/llm/batch/${createdId}/public`, { public: true });
  // One click from the list of matches to "who is better?".
  const page = await visit('/games', { size: desktop });
  await page.getByRole('link', { name: `Standing of batch #${number}` }).click();
  await page.waitForURL(`**/batches/${number}`);
  const table = page.getByRole('table', { name: /^Standings with 95 % intervals/ });
  await expect.poll(() => table.getByRole('row').count(), { timeout: 60_000 }).toBe(7);
  const sentence = page.getByRole('region', { name: 'Who is better?' }).getByRole('status');
  await sentence.waitFor();
  await page.getByLabel('First player').selectOption(ann);
  await page.getByLabel('Second player').selectOption(ben);
  await expect.poll(() => sentence.textContent()).toMatch(new RegExp(`(${ann}.*${ben})|(${ben}.*${ann})`));
  await page.getByLabel('Unit').selectOption('Big blinds per 100 hands');
  await page.getByLabel('Sort by').selectOption('Player');
  await page.waitForURL((url) => url.searchParams.get('unit') === 'bb' && url.searchParams.get('a') === ann);
  const sorted = bots.map(({ username }) => username).sort();
  await expect.poll(() => table.getByRole('row').nth(1).textContent()).toContain(sorted[0]);
  for (const button of ['Save the standings as CSV', 'Save the pairs as CSV', 'Save the pairs as PNG']) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    expect((await saved).suggestedFilename()).toContain(`batch-${number}`);
  }
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
  }

  const board = await visit('/', { account: verified });
  await open(board, `/leaderboard?view=standings&batch=${number}`);
  await expect.poll(() => board.getByRole('table').first().getByRole('row').count(), { timeout: 60_000 }).toBe(7);
  await board.getByLabel('Number of a batch').fill('987654');
  await board.getByRole('button', { name: 'Show batch' }).click();
  await board.getByText('There are no public matches of batch #987654.').waitFor();
  expect(pageErrors).toEqual([]);
});

const pages = async (page: Page) =>
  (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

test('batch, match and standings print on one or two pages, with graph and legend, without buttons', {
  timeout: 240_000,
}, async () => {
  const batchId = await startBatch(bots, 50);
  await asAdmin.post(`/llm/batch/${batchId}/public`, { public: true });
  const batch = `/batches/${await finishedBatchNumber(batchId)}`;
  for (const [path, drawing, legend] of [
    [`/games/${world.match.jobId}`, '.chart-drawing .main-svg', '.legend'],
    [batch, '.results-lines', '.results-labels'],
    [`${batch}?view=standings`, '.plot-drawing .main-svg', '.standings-meanings'],
    ['/leaderboard?view=standings', '.plot-drawing .main-svg', '.standings-meanings'],
  ] as const) {
    const page = await visit(path, { account: verified });
    const graph = page.locator(drawing).first();
    await page.locator('h1').waitFor();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 300);
          return graph.count();
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    expect(await pages(page), path).toBeLessThanOrEqual(2);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 900 });
    // Drawn again in the width of the paper.
    await expect.poll(async () => (await graph.boundingBox())?.height, { message: path }).toBeGreaterThan(100);
    const box = await graph.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(700);
    expect(await page.locator(legend).first().isVisible(), path).toBe(true);
    expect(await visibleText(page.locator('main')), path).not.toMatch(/Download|Copy|View Hand|Reset/i);
  }
});
