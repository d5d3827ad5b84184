import { afterEach, expect, inject, test } from 'vitest';
import { api, asAdmin, expectText, expectToast, freshName, press, reopenUntil } from './admin-steps.ts';
import { desktop, horizontalOverflow, open, pageErrors, phone, visit } from './visitor.ts';
import { registerVerified, type World } from './world.ts';

const world: World = inject('world');
const { admin, bots } = world;
const { origin } = inject('platform');
const bot = bots[0]?.username ?? '';
let createdIds: string[] = [];

afterEach(async () => {
  const headers = { authorization: `Bearer ${admin.token}` };
  for (const id of createdIds) await fetch(`${origin}/leaderboard/remove/${id}`, { method: 'DELETE', headers });
  createdIds = [];
});

async function add(username: string, score: number, tag: string): Promise<void> {
  const { entry } = await asAdmin.post<{ entry: { id: string } }>('/leaderboard/add', { username, score, tag });
  createdIds.push(entry.id);
}

test.each([
  ['a desktop', desktop],
  ['a phone', phone],
])(
  'home on %s shows the board with the newest result beside or below the broadcast, and another board on selection',
  async (_name, size) => {
    const tag = freshName('spring');
    const [ann, ben] = [freshName('ann'), freshName('ben')];
    for (const name of [ann, ben]) await registerVerified(api, admin, name);
    await add(ann, 10, tag);
    await add(ben, 12.5, tag);
    await add(ann, 5, tag);
    const page = await visit('/', { size });
    const board = page.getByRole('region', { name: 'Model Leaderboard' });
    await reopenUntil(page, '/', board, `Board ${tag}`);
    await expectText(board, /the sum of the scores that the organisers entered/);
    await expect.poll(() => board.getByRole('listitem').count()).toBe(2);
    const row = (n: number) => board.getByRole('listitem').nth(n);
    await expectText(row(0), new RegExp(`${ann}[\\s\\S]*15[\\s\\S]*Delta Money[\\s\\S]*2 entries`));
    await expectText(row(1), new RegExp(`${ben}[\\s\\S]*12\\.5[\\s\\S]*Delta Money[\\s\\S]*1 entry`));
    const [live, standing] = [await page.locator('.home-live').boundingBox(), await board.boundingBox()];
    const beside = size.width > 960;
    expect(standing?.y).toBeLessThan(beside ? 300 : 2 * size.height);
    expect((standing?.x ?? 0) > (live?.x ?? 0)).toBe(beside);

    await board.getByLabel('Board', { exact: true }).selectOption('2025');
    await expectText(board, /Board 2025[\s\S]*in its matches on this board\. The board counts \d+ match/);
    for (const { username } of bots) {
      await expectText(board.getByRole('listitem').filter({ hasText: username }), /\d+ match/);
    }
    expect(await board.getByText(ann).count()).toBe(0);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(pageErrors).toEqual([]);
  },
);

test('an admin chooses the board of the home page', async () => {
  const tag = freshName('autumn');
  await add(bot, 77, tag);
  const page = await visit('/admin', { account: admin });
  const field = page.getByLabel('Board on the home page');
  expect(await field.inputValue()).toBe('');
  await field.selectOption(tag);
  await press(page, 'Save settings');
  await expectToast(page, 'Settings saved.');
  const home = await visit('/');
  const countHeadings = async () => {
    await open(home, '/');
    return home.getByRole('heading', { name: `Board ${tag}` }).count();
  };
  await expect.poll(countHeadings).toBe(1);
  await field.selectOption('');
  await press(page, 'Save settings');
  await expectToast(page, 'Settings saved.');
  expect(pageErrors).toEqual([]);
});

test('a leaderboard of more than 100 entries shows their number and has pages', async () => {
  const tag = freshName('long');
  for (let score = 1; score <= 101; score++) await add(bot, score, tag);
  const page = await visit(`/leaderboard?tag=${tag}`, { account: admin });
  await page.getByText('1-100 of 101 entries').waitFor();
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await page.getByText('101-101 of 101 entries').waitFor();
  const rows = page.getByRole('list', { name: 'Leaderboard' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(1);
  await expectText(rows.first(), /#101/);
});
