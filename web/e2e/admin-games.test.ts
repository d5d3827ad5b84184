import { expect, inject, test } from 'vitest';
import { actionsOn, expectDialog, expectText, expectToast, finishedMatch, press } from './admin-steps.ts';
import { open, pageErrors, visibleText, visit } from './visitor.ts';
import type { World } from './world.ts';

const world: World = inject('world');
const { admin, bots, match } = world;

test('matches are searched, filtered and sorted, and made public and private again', async () => {
  const jobId = await finishedMatch();
  const page = await visit('/admin/games', { account: admin });
  const card = page.locator('.job-card').filter({ hasText: jobId });
  await card.waitFor();
  await expectText(card, `${bots.length} players`);
  for (const { username } of bots) await expectText(card, username);
  const loaded = page.locator('.stat').filter({ hasText: 'Total Games Loaded' }).locator('dd');
  await expect.poll(() => visibleText(loaded)).toBe(String(await page.locator('.job-card').count()));
  const firstId = () => page.locator('.job-card-id').first().textContent();
  expect(await firstId()).toBe(jobId);
  await press(page, 'NEWEST FIRST');
  await page.getByRole('button', { name: 'OLDEST FIRST', exact: true }).waitFor();
  await expect.poll(firstId).not.toBe(jobId);
  await press(page, 'OLDEST FIRST');
  await press(page, 'SORT BY DATE');
  await page.getByRole('button', { name: 'NEWEST FIRST', exact: true }).waitFor();

  await page.getByLabel('Search matches').fill('nobody of this name');
  await page.getByText('No games found').waitFor();
  await page.getByLabel('Search matches').fill(bots[0]?.username ?? '');
  await card.waitFor();
  await page.getByLabel('Search matches').fill(jobId.slice(0, 13));
  await expect.poll(() => page.locator('.job-card').count()).toBe(1);
  await page.getByLabel('Visibility').selectOption('Public');
  await page.getByText('No games found').waitFor();
  await page.getByLabel('Visibility').selectOption('Private');
  await page.getByLabel('Status').selectOption('Failed');
  await page.getByText('No games found').waitFor();
  await page.getByLabel('Status').selectOption('Finished');
  await page.getByLabel('Visibility').selectOption('All');
  await card.waitFor();

  const anonymous = await visit(`/games/${jobId}`);
  await anonymous.getByText('This performance data is private and cannot be accessed.').waitFor();
  await press(card, `MAKE PUBLIC, job ${jobId}`);
  await press(await expectDialog(page, 'Everybody can read'), 'Cancel');
  await press(card, `MAKE PUBLIC, job ${jobId}`);
  await press(await expectDialog(page, 'Everybody can read'), 'Make public');
  await expectText(card, /PUBLIC[\s\S]*MAKE PRIVATE/);
  await open(anonymous, `/games/${jobId}`);
  await anonymous.getByText('FINAL RANKINGS').waitFor();
  await press(card, `MAKE PRIVATE, job ${jobId}`);
  await press(await expectDialog(page, 'Only its players and admins'), 'Make private');
  await expectText(card, /PRIVATE[\s\S]*MAKE PUBLIC/);
  await open(anonymous, `/games/${jobId}`);
  await anonymous.getByText('This performance data is private and cannot be accessed.').waitFor();
  await expect
    .poll(() => actionsOn(jobId))
    .toEqual(['job.created', 'job.visibility_changed', 'job.visibility_changed']);
  expect(pageErrors).toEqual([]);
});

test('a match is deleted after a confirmation, but not while it is on the 2025 leaderboard', async () => {
  const jobId = await finishedMatch();
  const page = await visit('/admin/games', { account: admin });
  const card = page.locator('.job-card').filter({ hasText: jobId });
  await press(card, `Delete job ${jobId}`);
  const dialog = await expectDialog(page, 'Are you sure you want to delete this job?');
  await expectText(dialog, jobId);
  await press(dialog, 'Delete job');
  await expectToast(page, 'Job deleted.');
  await expect.poll(() => card.count()).toBe(0);
  await open(page, `/games/${jobId}`);
  await page.getByRole('alert').first().waitFor();
  await open(page, '/admin/games');
  // Other tests may have started more matches since than the page shows.
  await page.getByLabel('Search matches').fill(match.jobId.slice(0, 13));
  const kept = page.locator('.job-card').filter({ hasText: match.jobId });
  await expectText(kept, '2025');
  await press(kept, `Delete job ${match.jobId}`);
  await press(await expectDialog(page, 'Are you sure'), 'Delete job');
  await expectToast(page, 'Failed to delete job: This job is on a leaderboard. Remove it there first.');
  expect(await kept.count()).toBe(1);
  expect(pageErrors).toEqual([]);
});
