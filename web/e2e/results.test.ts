// Pages of batches and players, cards of matches, and the home page.
import { expect, inject, test } from 'vitest';
import { asAdmin, expectText, finishedBatchNumber, press, startBatch } from './admin-steps.ts';
import { expectLightLoad } from './load.ts';
import { desktop, horizontalOverflow, open, pageErrors, pathOf, phone, visit } from './visitor.ts';
import type { World } from './world.ts';

const world: World = inject('world');
const { bots, match } = world;
const [ann = '', ben = ''] = bots.map(({ username }) => username);
const sizes = [
  ['a desktop', desktop],
  ['a phone', phone],
] as const;

test('a batch has a page once it is public: standings, graph, who won from whom, matches', async () => {
  const createdId = await startBatch(bots, 1000);
  const number = await finishedBatchNumber(createdId);
  const page = await visit(`/batches/${number}`);
  await page.getByRole('heading', { name: 'Batch not found' }).waitFor();

  await asAdmin.post(`/llm/batch/${createdId}/public`, { public: true });
  for (const [name, size] of sizes) {
    const visitor = await visit(`/batches/${number}`, { size });
    await visitor.getByRole('heading', { name: `Batch #${number}`, level: 1 }).waitFor();
    await visitor.getByRole('img', { name: /^Cumulative winnings over 1 match\. / }).waitFor();
    const standings = visitor.getByRole('table', { name: /^Standings with 95 % intervals/ });
    await expect.poll(() => standings.getByRole('row').count(), { timeout: 60_000 }).toBe(7);
    await expect
      .poll(() => visitor.getByRole('table', { name: 'Money won and lost' }).getByRole('row').count())
      .toBe(7);
    await visitor.getByRole('table', { name: 'Chips won from each player, by player' }).waitFor();
    // Cards outside of the viewport have no visible text (content-visibility).
    const matches = visitor.getByRole('region', { name: 'Matches' });
    await expect.poll(() => matches.textContent()).toMatch(/\w+ won \+[\d,]+/);
    await expect.poll(() => horizontalOverflow(visitor), { message: name }).toBe(0);
    await standings.getByRole('link', { name: ann, exact: true }).click();
    await visitor.waitForURL(`**/players/${ann}`);
  }
  await expectLightLoad(`/batches/${number}`, { kb: 240, requests: 50 });
  const researcher = await visit('/games', { size: phone });
  await researcher.getByRole('link', { name: `Standing of batch #${number}` }).click();
  await researcher.waitForURL(`**/batches/${number}`);
  const saved = researcher.waitForEvent('download');
  await researcher.getByRole('button', { name: 'Download as JSON lines' }).click();
  expect((await saved).suggestedFilename()).toContain(String(number));
  await asAdmin.post(`/llm/batch/${createdId}/metadata`, { batch_number: number + 100_000 });
  await visit(`/batches/${number}`).then((renumbered) => renumbered.waitForURL(`**/batches/${number + 100_000}`));
  await asAdmin.post(`/llm/batch/${createdId}/public`, { public: false });
  expect(pageErrors).toEqual([]);
});

test.each(sizes)(
  "a player's page on %s shows results, best and worst hands, and compares two players",
  async (_name, size) => {
    const page = await visit(`/players/${ann}`, { size });
    await page.getByRole('region', { name: 'Results over time' }).getByRole('img').waitFor();
    for (const title of ['Best hands', 'Worst hands']) {
      await page
        .getByRole('table', { name: title })
        .getByRole('link', { name: /^Hand #/ })
        .first()
        .waitFor();
    }
    await page
      .getByRole('table', { name: `Matches of ${ann}` })
      .getByRole('link')
      .first()
      .waitFor();
    await page.getByLabel('Username of the other player').fill(ben);
    await press(page, 'Compare');
    await expectText(page.getByRole('region', { name: 'Compare with another player' }), /in \d+ shared match/);
    expect(pathOf(page)).toBe(`/players/${ann}?versus=${ben}`);
    await page.getByLabel('Username of the other player').fill('nobody-of-this-name');
    await press(page, 'Compare');
    await page.getByText('There is no player named nobody-of-this-name.').waitFor();
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(pageErrors).toEqual([]);
  },
);

test.each(sizes)('statistics of a bot on %s compare it with another one and are saved as CSV', async (_name, size) => {
  const page = await visit(`/players/${ann}`, { size });
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.waitForURL(`**/players/${ann}?view=statistics`);
  const table = page.getByRole('table', { name: `${ann} by position` });
  await expectText(table.getByRole('row', { name: /VPIP/ }), /\d\.\d %|—/);
  await page.getByLabel('Compare with the player').fill(ben);
  await press(page, 'Show');
  await page.waitForURL(`**/players/${ann}?view=statistics&versus=${ben}`);
  await page.getByRole('table', { name: `${ben} by street` }).waitFor();
  await page.getByText(/in which both played/).waitFor();
  const plot = page.getByRole('img', { name: /^Decision times\. Half of the/ });
  await plot.scrollIntoViewIfNeeded();
  await plot.locator('svg').first().waitFor();
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  const saved = page.waitForEvent('download');
  await press(page, 'Download statistics as CSV');
  expect((await saved).suggestedFilename()).toBe(`statistics-${ann}.csv`);
  await page.getByLabel('Batch number').fill('987654');
  await press(page, 'Show');
  await page.getByText('There is no public batch 987654.').waitFor();
  expect(pageErrors).toEqual([]);
});

test.each(sizes)('cards of matches on %s show who won; filters are in the address', async (_name, size) => {
  const page = await visit('/games', { size });
  const card = page.locator('.job-card').filter({ hasText: match.jobId });
  await expect.poll(() => card.textContent()).toMatch(/\w+ won \+[\d,]+.*1,000 hands, all played/);
  await page.getByLabel('Player', { exact: true }).fill(ann);
  await page.waitForURL(`**/games?player=${ann}`);
  await card.waitFor();
  await page.getByLabel('Batch', { exact: true }).fill('987654');
  await page.getByText('No public match passes the search and the filters.').waitFor();
  await open(page, `/games?q=${match.jobId}`);
  await expect.poll(() => page.locator('.job-card').count()).toBe(1);
  expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe(match.jobId);
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  expect(pageErrors).toEqual([]);
});

test.each(sizes)('home on %s tells the hand of the day, one click away from its steps', async (_name, size) => {
  const page = await visit('/', { size });
  const hand = page.getByRole('region', { name: 'Hand of the day' });
  await hand.scrollIntoViewIfNeeded();
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  await hand.getByRole('link', { name: 'Replay it step by step' }).click();
  await page.waitForURL('**/replay/**');
  await page.getByRole('heading', { name: 'POKER REPLAY' }).waitFor();
  expect(pageErrors).toEqual([]);
});
