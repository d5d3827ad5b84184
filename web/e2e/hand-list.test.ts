// The list of a match's hands: filters, orders, map of the pots and jump, on desktop and phone.
import type { Locator } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { expectText } from './admin-steps.ts';
import { violations } from './axe.ts';
import { expectAlignedHands, horizontalOverflow, pathOf, phone, visit } from './visitor.ts';

const { match, bots } = inject('world');
const [player] = bots;

/** Reads the amounts, such as '-$1,250', of the first four rows. */
async function amounts(cells: Locator): Promise<number[]> {
  const texts = await cells.allTextContents();
  return texts.slice(0, 4).map((text) => Number(/[+-]?\$[\d,]+/.exec(text)?.[0].replaceAll(/[$,]/g, '')));
}

const isSorted = (values: readonly number[], sign: number) =>
  values.length === 4 && values.every((value, index) => index === 0 || sign * (value - (values[index - 1] ?? 0)) >= 0);

test('an author reaches the hand that lost most in two clicks, and the address keeps filters and order', async () => {
  const page = await visit(`/games/${match.jobId}`, player === undefined ? {} : { account: player });
  const rows = page.locator('.hand-row');
  await rows.first().locator('.hand-pot').getByText('$').waitFor();
  await page.getByRole('button', { name: 'My biggest losses' }).click();
  await expectText(page.getByRole('status').filter({ hasText: 'hands' }), /^[\d,]+ of 1,000 hands$/);
  const nets = await amounts(rows.locator('.hand-net'));
  expect(nets[0]).toBeLessThan(0);
  expect(isSorted(nets, 1)).toBe(true);
  expect(new URL(page.url()).searchParams.get('net')).toBe('loss');
  const worst = (await rows.first().locator('.hand-number').textContent()) ?? '';
  await page.reload();
  await expectText(rows.first().locator('.hand-number'), worst);
  await rows
    .first()
    .getByRole('link', { name: /View Hand/ })
    .click();
  await page.waitForURL('**/replay/**');
  expect(pathOf(page)).toContain('/replay/');
});

test('rows of hands with and without a flop are aligned with the head', async () => {
  const page = await visit(`/games/${match.jobId}`, { size: { width: 1366, height: 768 } });
  const boards = page.locator('.hand-row .hand-board');
  for (const order of ['pot', 'none']) {
    await page.getByLabel('Order').selectOption(order);
    await boards.locator('.board-card').first().waitFor();
    await expectAlignedHands(page);
  }
  await page.getByLabel('Last street').selectOption('preflop');
  await boards.locator('.board-card').first().waitFor({ state: 'detached' });
  await expectAlignedHands(page);
});

test('filters, the map of the pots and the jump work on a phone, without violations', async () => {
  const page = await visit(`/games/${match.jobId}`, { size: phone });
  const rows = page.locator('.hand-row');
  await rows.first().locator('.hand-pot').getByText('$').waitFor();
  await page.getByRole('button', { name: 'Showdowns' }).click();
  await expectText(rows.first(), /Showdown/);
  await page.getByLabel('Order').selectOption('pot');
  await expect.poll(async () => isSorted(await amounts(rows.locator('.hand-pot')), -1)).toBe(true);
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  expect(await violations(page)).toEqual([]);

  await page.getByLabel('Jump to hand').fill('1001');
  await page.getByLabel('Jump to hand').press('Enter');
  await page.getByText('Type a number from 1 to 1,000.').waitFor();
  await page.getByLabel('Jump to hand').fill('700');
  await page.getByLabel('Jump to hand').press('Enter');
  await page.locator('#game-700.hand-row-marked').waitFor();
  expect(new URL(page.url()).searchParams.has('showdown')).toBe(false);

  const slider = page.getByRole('slider', { name: /Jump to a hand/ });
  await slider.focus();
  await page.keyboard.press('End');
  await page.locator('#game-1000.hand-row-marked').waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Hand 1000, pot \$/);
});

test('says so when no hand passes the filters', async () => {
  const page = await visit(`/games/${match.jobId}?min_pot=99999999`);
  await page.getByText('No hand passes these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.locator('#game-1').waitFor();
});
