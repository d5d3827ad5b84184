import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { actions, blinds, sampleLog } from '../src/table/sample-log.ts';
import { expectText } from './admin-steps.ts';
import { violations } from './axe.ts';
import { horizontalOverflow, open, pageErrors, pathOf, visibleText, visit } from './visitor.ts';

const { match, privateMatch, admin, bots } = inject('world');
const { origin } = inject('platform');
const hand = `/replay/${match.gameIds[1]}`;

// Cat is all-in for 100, ann for 50, and bob covers both. Cat's fours win the side pot and the main pot.
const allIn = sampleLog([[...blinds, [2, 'ALL IN', 100], [0, 'ALL IN', 45], [1, 'CALL', 90]]], {
  names: ['ann', 'bob', 'W'.repeat(32)],
  start: [50, 200, 100],
  final: [0, 100, 250],
  board: ['Ks', '7h', '9d', 'Jc', '4s'],
});

async function openLog(page: Page, log: object = allIn): Promise<void> {
  await page
    .getByLabel('Choose file')
    .first()
    .setInputFiles({ name: 'hand.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(log)) });
  await page.getByText('Action 1 of').first().waitFor();
}

const label = (page: Page) => page.locator('.replay-step');

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('not shown');
  return { ...box, bottom: box.y + box.height };
}

test('a run-out is stepped street by street, and each pot is pushed to a named winner', async () => {
  const page = await visit('/upload-replay');
  await openLog(page);
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => visibleText(label(page))).toBe('Action 5 of 5');
  const next = page.getByRole('button', { name: 'Next', exact: true });
  const cards = page.getByRole('group', { name: /^Community cards/ }).locator('.card:not(.card-slot)');
  const name = `${'W'.repeat(20)}…`;
  for (const [stage, count, sentence] of [
    ['Flop', 3, ''],
    ['Turn', 4, ''],
    ['River', 5, ''],
    ['Side pot 1', 5, `${name} wins $100 from side pot 1 with three of a kind, fours`],
    ['Main pot', 5, `${name} wins $150 from the main pot with three of a kind, fours`],
  ] as const) {
    await next.click();
    await expect.poll(() => visibleText(label(page))).toMatch(new RegExp(`^Action 5 of 5\\s*${stage}$`));
    expect(await cards.count()).toBe(count);
    if (sentence !== '') await page.locator('.felt-line').getByText(sentence).waitFor();
  }
  expect(await next.isDisabled()).toBe(true);
  await page.getByText('GAME RESULTS').waitFor();
  expect(await page.locator('.seat-won').count()).toBe(1);
  expect(pageErrors).toEqual([]);
});

test('keys, settings and the hand as text work and are kept', async () => {
  const page = await visit(hand);
  await page.getByText(/Action 1 of \d+/).waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();

  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Table settings and keys' });
  await dialog.getByLabel('Amounts in big blinds').check();
  await dialog.getByLabel(/Four-colour deck/).check();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText(/Action \d+ of \d+/).waitFor();
  await expect.poll(() => visibleText(page.locator('.felt'))).toMatch(/\d BB/);
  expect(await page.locator('.four-colour-deck').count()).toBe(1);

  const lines = page.getByRole('list', { name: 'Lines of the hand' });
  await lines.getByRole('button', { name: /posts big blind/ }).click();
  await page.getByText(/Action 2 of \d+/).waitFor();
  expect(await lines.locator('[aria-current="step"]').textContent()).toMatch(/posts big blind 1 BB/);
  await page.getByRole('button', { name: 'Copy text' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/HOLE CARDS[\s\S]*RESULT/);
  await page.getByRole('button', { name: 'Copy link at this step' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin}${hand}?step=2`);
  await open(page, `${hand}?step=2`);
  await page.getByText(/Action 2 of \d+/).waitFor();

  await page.keyboard.press('?');
  await dialog.getByLabel('Keyboard shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => visibleText(label(page))).toMatch(/^Action 3 of/);
  expect(pageErrors).toEqual([]);
});

test('the owner of a bot sees its output and time beside each decision, an admin those of every bot, others none', async () => {
  const [owner, other] = [bots.at(-1), bots[0]];
  const step = `${hand}?step=5`;
  const page = await visit(step, { ...(owner && { account: owner }) });
  const panel = page.getByRole('region', { name: 'YOUR BOT' });
  await expectText(panel.getByRole('listitem').first(), /^folds\s*(under 1|[\d,]+) ms\s*to call: \d+$/);
  expect(await violations(page)).toEqual([]);
  for (const [account, text] of [
    [admin, /BOT OF patient[\s\S]*to call: \d/],
    [other, /YOUR BOT[\s\S]*Printed nothing/],
    [undefined, /PLAYER STACKS/],
  ] as const) {
    const next = await visit(step, { ...(account && { account }) });
    await expectText(next.getByRole('complementary', { name: 'Hand details' }), text);
    if (account !== admin) expect(await next.getByText('to call').count()).toBe(0);
    if (account === undefined) expect(await next.getByText(/YOUR BOT|BOT OF/).count()).toBe(0);
  }
  expect(pageErrors).toEqual([]);
});

/** Starts a page of another site with a frame of a path of the platform. Returns its address. */
async function serveFrame(path: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<title>Another site</title><iframe src="${origin}${path}" width="800" height="680"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('another site can frame an embedded replay and nothing else', async () => {
  const page = await visit(null, { account: admin });
  await page.goto(await serveFrame(`/embed${hand}?step=3`));
  const frame = page.frameLocator('iframe');
  await frame.getByText(/Action 3 of \d+/).waitFor();
  await frame.getByRole('button', { name: 'Next', exact: true }).click();
  await frame.getByText(/Action 4 of \d+/).waitFor();
  const link = frame.getByRole('link', { name: /^Hand #2 on/ });
  expect(await link.getAttribute('href')).toBe(`${hand}?step=4`);
  expect(pageErrors).toEqual([]);

  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(await serveFrame(hand));
  await refused;
  pageErrors.length = 0;

  // The embedded page ignores the session: even an admin cannot open a private hand there.
  await page.goto(`/embed/replay/${privateMatch.gameId}`);
  await page.getByRole('alert').getByText('This game is private and cannot be accessed.').waitFor();
  await page.goto('/embed/replay/00000000-0000-0000-0000-000000000000');
  await page.getByRole('alert').getByText('Game not found.').waitFor();
});

test('the HTML for other sites is copied, and an embedded replay plays at once if the HTML says so', async () => {
  const page = await visit(hand);
  await page.getByRole('button', { name: 'Embed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Embed this replay' });
  await dialog.getByLabel(/Play at once/).check();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy HTML' }).click();
  const path = `/embed${hand}?autoplay=1`;
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`src="${origin}${path}"`);
  await open(page, path);
  await expect.poll(() => visibleText(label(page))).toMatch(/^Action [2-9]/);
  expect(pathOf(page)).toBe(path);
});

// Long names, raises of five digits, side pots, an uncalled bet and a player without chips.
const crowded = sampleLog(
  [
    [...blinds, ...actions('2 RAISE 60, 3 CALL 60, 0 CALL 55, 1 CALL 50, 5 FOLD 0')],
    actions('0 CHECK 0, 1 RAISE 120, 2 RAISE 10400, 3 ALL IN 9940, 0 FOLD 0, 1 ALL IN 2880'),
  ],
  {
    names: [
      'Claude Opus 4.1',
      'W'.repeat(32),
      'Gemini 2.5 Pro',
      'gpt-5-thinking-high',
      'kimi',
      'o3_pro_2025_06_10_long',
    ],
    start: [10_000, 3060, 14_000, 10_000, 0, 10_000],
    final: [9940, 0, 4000, 23_120, 0, 10_000],
    hands: [['2h', '2c'], ['Ac', 'Qd'], ['7h', '7c'], ['Ah', 'Ks'], [], ['6h', '6c']],
    board: ['Kc', '9h', '9d', 'Jc', '8s'],
  },
);

/** Returns the pairs that overlap of seats, board, pots, line and controls, and the texts that are wider than their seat. */
function overlaps(): string[] {
  const boxes = [...document.querySelectorAll('.seat')].flatMap((seat, at) =>
    [...seat.querySelectorAll('.card, .seat-plate')].map((part) => ({
      name: `seat ${at}`,
      box: part.getBoundingClientRect(),
    })),
  );
  for (const name of ['.felt-board', '.felt-pots:not(.felt-paid)', '.felt-line', '.replay-controls', '.bar']) {
    for (const part of document.querySelectorAll(name)) boxes.push({ name, box: part.getBoundingClientRect() });
  }
  const pairs = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (b) =>
          a.name !== b.name &&
          Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 &&
          Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 1,
      )
      .map((b) => `${a.name} and ${b.name}`),
  );
  const wide = [...document.querySelectorAll('.seat-chip, .seat-name, .seat-money')].filter((text) => {
    const plate = text.closest('.seat-plate')?.getBoundingClientRect();
    const { left, right } = text.getBoundingClientRect();
    return plate !== undefined && (left < plate.left - 1 || right > plate.right + 1);
  });
  return [...new Set([...pairs, ...wide.map((text) => `wide ${text.textContent}`)])];
}

const sizes = ['360x640', '390x844', '683x384', '720x450', '1024x768', '1366x768', '1440x900', '1920x1080'];

test.each(sizes)('at %s nothing covers the table and stepping does not scroll', async (size) => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const page = await visit('/upload-replay', { size: { width, height } });
  const scrolled = () => page.evaluate(() => window.scrollY);
  const check = async () => {
    const before = await scrolled();
    for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) {
      await page.keyboard.press(key);
      expect([key, await page.evaluate(overlaps)]).toEqual([key, []]);
    }
    expect(await scrolled()).toBe(before);
    expect(await horizontalOverflow(page)).toBe(0);
  };
  await openLog(page, crowded);
  const main = page.locator('.replay-main');
  await main.evaluate((table) => table.scrollIntoView({ block: 'end' }));
  // On lower windows the table is as low as it can be.
  if (height >= 450) {
    expect((await boxOf(main)).y).toBeGreaterThanOrEqual(63);
    expect((await boxOf(page.locator('.replay-controls'))).bottom).toBeLessThanOrEqual(height + 1);
  }
  await check();
  await open(page, `/embed${hand}`);
  await check();
});

test('on a phone of 320 pixels a frame does not scroll to the side', async () => {
  const page = await visit(`/embed${hand}?step=7`, { size: { width: 320, height: 640 } });
  await expect.poll(() => horizontalOverflow(page)).toBe(0);
  expect(await page.evaluate(overlaps)).toEqual([]);
  expect(await violations(page)).toEqual([]);
});
