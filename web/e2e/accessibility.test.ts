import { expect, inject, test } from 'vitest';
import { violations } from './axe.ts';
import { desktop, horizontalOverflow, open, phone, visit } from './visitor.ts';

const { match, privateMatch, admin, verified, unverified, bots } = inject('world');

const everyone = [
  '/',
  '/about',
  '/bots',
  '/bots/debug',
  '/kit',
  '/fairness',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password/0',
  '/games',
  '/verification-success',
  '/verification-success?error=invalid',
  '/upload-replay',
  '/no-such-page',
  '/tv',
  `/games/${match.jobId}`,
  `/games/${privateMatch.jobId}`,
  `/replay/${match.gameIds[1]}`,
  `/replay/${match.gameIds[1]}?mode=results&step=4`,
  `/profile/${bots[0]?.username}`,
  '/profile/hostile',
  `/embed/replay/${match.gameIds[1]}`,
  `/players/${bots[0]?.username}?versus=${bots[1]?.username}`,
  `/players/${bots[0]?.username}?view=statistics&versus=${bots[1]?.username}`,
  '/batches/987654',
  '/methodology',
  '/tv',
];
const visitors = [
  { name: 'anonymous', account: undefined, paths: everyone },
  { name: 'unverified', account: unverified, paths: ['/verify-account'] },
  {
    name: 'verified',
    account: verified,
    paths: [
      '/',
      '/dashboard',
      '/submission',
      '/leaderboard',
      '/leaderboard?view=standings',
      '/directory',
      '/profile',
      '/account',
      '/admin',
    ],
  },
  {
    name: 'admin',
    account: admin,
    paths: [
      '/admin',
      '/simulation',
      '/llm-batch',
      '/container-manager',
      '/admin/games',
      '/admin/audit',
      `/profile/${bots[0]?.username}`,
    ],
  },
] as const;

test.each(
  visitors.flatMap((visitor) => [
    { ...visitor, device: 'desktop', size: desktop },
    { ...visitor, device: 'phone', size: phone },
  ]),
)(
  'the pages of $name on a $device have no axe violations and do not scroll horizontally',
  async ({ account, paths, size }) => {
    const page = await visit(null, account ? { account, size } : { size });
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      await open(page, path);
      const broken = await violations(page);
      const overflow = await horizontalOverflow(page);
      if (overflow > 0) broken.push(`scrolls horizontally by ${overflow} px`);
      if (broken.length > 0) found[path] = broken;
    }
    expect(found).toEqual({});
  },
  180_000,
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

test.each([360, 768, 1024, 2560, 3840])('no page scrolls horizontally at %i px', async (width) => {
  const page = await visit(null, { size: { width, height: 900 }, account: verified });
  const found: Record<string, number> = {};
  for (const path of ['/', '/dashboard', `/games/${match.jobId}`, `/replay/${match.gameIds[1]}`, '/submission']) {
    await open(page, path);
    const overflow = await horizontalOverflow(page);
    if (overflow > 0) found[path] = overflow;
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
