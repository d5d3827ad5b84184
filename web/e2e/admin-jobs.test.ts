import { expect, inject, test } from 'vitest';
import {
  actionsOn,
  api,
  copiedText,
  expectDialog,
  expectText,
  expectToast,
  finishedMatch,
  jobRow,
  loadedCount,
  press,
  scores,
} from './admin-steps.ts';
import { open, pageErrors, visit } from './visitor.ts';
import { botFile, endOfMatch, registerVerified, startMatch, submit, type World } from './world.ts';

const world: World = inject('world');
const { admin, bots } = world;
const table = 'All system jobs';

test('a match is found by its id and status, added to the 2025 leaderboard and removed without a difference', async () => {
  const jobId = await finishedMatch();
  const { result_data: deltas } = await api
    .as(admin.token)
    .get<{ result_data: Record<string, number> }>(`/sim/status/${jobId}`);
  const before = await scores('2025');
  const page = await visit('/admin', { account: admin });
  const panel = page.getByRole('region', { name: 'ALL SYSTEM JOBS' });
  for (const nothing of ['no job has this', '%', '00000000-0000-0000-0000-000000000000']) {
    await panel.getByLabel('Search by job ID').fill(nothing);
    await expectText(panel, 'No simulation jobs found');
  }
  await panel.getByLabel('Search by job ID').fill(jobId.slice(0, 13));
  await expectText(panel, '1-1 of 1 jobs');
  await panel.getByLabel('Status').selectOption('Failed');
  await expectText(panel, 'No simulation jobs found');
  await panel.getByLabel('Status').selectOption('Finished');
  const row = jobRow(page, table, jobId);
  await expectText(row, admin.username);
  for (const [name, delta] of Object.entries(deltas)) {
    const amount = Math.abs(delta).toLocaleString('en-US');
    await expectText(row, new RegExp(`${name}\\s+\\S*${amount.replace('.', '\\.')}`));
  }
  await press(row, 'Copy job ID');
  await copiedText(page, new RegExp(`^${jobId}$`));

  await press(row, `Add to 2025, job ${jobId}`);
  await expectToast(page, 'Job added to the 2025 leaderboard.');
  await row.getByRole('button', { name: `Remove from 2025, job ${jobId}` }).waitFor();
  const added = await scores('2025');
  for (const { username } of bots) {
    expect((added[username] ?? 0) - (before[username] ?? 0), username).toBeCloseTo(deltas[username] ?? Number.NaN, 6);
  }
  await press(row, `Remove from 2025, job ${jobId}`);
  await expectToast(page, 'Job removed from the 2025 leaderboard.');
  await row.getByRole('button', { name: `Add to 2025, job ${jobId}` }).waitFor();
  expect(await scores('2025')).toEqual(before);
  await expect.poll(() => actionsOn(jobId)).toEqual(['job.created', 'job.added_to_2025', 'job.removed_from_2025']);
  expect(pageErrors).toEqual([]);
});

test('a test run against the house bot has a dash instead of the 2025 button', async () => {
  const tester = await registerVerified(api, admin, `tests-only-${process.pid}`);
  const { job_id: jobId } = await api.as(tester.token).upload<{ job_id: string }>('/sim/async_run', {
    python_file: { name: 'player.py', text: botFile('calling-station', 'player.py') },
    packages_file: { name: 'requirements.txt', text: '' },
  });
  await endOfMatch(api, admin, jobId);
  const page = await visit('/admin', { account: admin });
  const panel = page.getByRole('region', { name: 'ALL SYSTEM JOBS' });
  await panel.getByLabel('Search by job ID').fill(jobId);
  const row = jobRow(page, table, jobId);
  await expectText(row, /Finished[\s\S]*—/i);
  expect(await row.getByRole('button', { name: /2025/ }).count()).toBe(0);
  await open(page, '/admin/games');
  await page.getByLabel('Search matches').fill(jobId);
  const card = page.locator('.job-card').filter({ hasText: jobId });
  await expectText(card, '—');
  expect(await card.getByRole('button', { name: /2025/ }).count()).toBe(0);
});

test('a running match shows its progress and no 2025 button, and is stopped and deleted after a confirmation', async () => {
  const slow = await registerVerified(api, admin, `slowly-${process.pid}`);
  await submit(api, slow, 'slow', true);
  const jobId = await startMatch(api, admin, [slow, ...bots.slice(1)], 2000);
  const page = await visit('/admin', { account: admin });
  const jobs = page.locator('.stat').filter({ hasText: /^Jobs/i }).locator('dd');
  const panel = page.getByRole('region', { name: 'ALL SYSTEM JOBS' });
  await panel.getByLabel('Search by job ID').fill(jobId);
  const row = jobRow(page, table, jobId);
  await expectText(row, /Pending|Running/);
  expect(await row.getByRole('button', { name: /2025/ }).count()).toBe(0);
  const count = await loadedCount(jobs);
  await press(row, `Delete job ${jobId}`);
  const dialog = await expectDialog(page, 'It has not ended yet and will be stopped.');
  await press(dialog, 'Cancel');
  await press(row, `Delete job ${jobId}`);
  await press(await expectDialog(page, jobId), 'Delete job');
  await expectToast(page, 'Job deleted.');
  await expectText(panel, 'No simulation jobs found');
  await expectText(jobs, (count - 1).toLocaleString('en-US'));
  await api
    .as(admin.token)
    .get(`/sim/status/${jobId}`)
    .then(
      () => expect.unreachable('the job is still there'),
      (error: Error) => expect(error.message).toMatch(/not found/i),
    );
});
