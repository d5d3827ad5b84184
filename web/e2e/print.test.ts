import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { asAdmin, finishedBatchNumber } from './admin-steps.ts';
import { visibleText, visit } from './visitor.ts';

const world = inject('world');
const pages = async (page: Page) =>
  (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

test('batch, match and standings print on one or two pages, with graph and legend, without buttons', {
  timeout: 240_000,
}, async () => {
  const users_list = world.bots.map(({ username }) => username);
  const { batch_id } = await asAdmin.post<{ batch_id: string }>('/llm/batch-run', {
    users_list,
    public: true,
    num_rounds: 50,
  });
  const batch = `/batches/${await finishedBatchNumber(batch_id)}`;
  for (const [path, drawing, legend] of [
    [`/games/${world.match.jobId}`, '.chart-drawing .main-svg', '.legend'],
    [batch, '.results-lines', '.results-labels'],
    [`${batch}?view=standings`, '.plot-drawing .main-svg', '.standings-meanings'],
    ['/leaderboard?view=standings', '.plot-drawing .main-svg', '.standings-meanings'],
  ] as const) {
    const page = await visit(path, { account: world.verified });
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
