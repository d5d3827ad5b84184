import { expect, inject, test } from 'vitest';
import { api, asAdmin, callsDuring, expectText, expectToast, freshName, jobRow, press, rowOf } from './admin-steps.ts';
import { pick } from './screen-list.ts';
import { pageErrors, visibleText, visit } from './visitor.ts';
import { registerVerified, submit, type World } from './world.ts';

const world: World = inject('world');
const { admin, bots } = world;

test('six users are selected, their match is started and runs to its end, and its results add up to zero', async () => {
  const page = await visit('/simulation', { account: admin });
  const roster = page.getByRole('region', { name: 'SIMULATION ROSTER' });
  const start = page.locator('form button[type=submit]');
  await expectText(start, 'SELECT 6 PARTICIPANTS');
  await page.getByLabel('Search users').fill('unverified-user');
  expect(await page.getByLabel('Select unverified-user', { exact: true }).isDisabled(), 'no final submission').toBe(
    true,
  );
  await expectText(rowOf(page, 'Users to select', 'unverified-user'), /NO\s+STANDBY/);
  await pick(page, world, 6);
  await expectText(roster, '6/6');
  await page.getByLabel('Search users').fill('ada-lovelace');
  expect(await page.getByLabel('Select ada-lovelace', { exact: true }).isDisabled(), 'six are selected').toBe(true);
  const [first] = bots;
  await press(roster, `Remove ${first?.username}`);
  await expectText(roster, '5/6');
  expect(await start.isDisabled()).toBe(true);
  await press(roster, 'CLEAR ALL');
  await expectText(roster, '0/6');
  await pick(page, world, 6);
  await page.getByLabel('Search users').fill(first?.username ?? '');
  await expectText(rowOf(page, 'Users to select', first?.username ?? ''), /YES\s+SELECTED/);
  await expectText(start, 'INITIATE SIMULATION');
  await page.getByLabel('Rounds').fill('3');
  await start.click();
  const toast = page.locator('.toast').filter({ hasText: 'Simulation started: job' });
  const jobId = /job (\S+)/.exec(await visibleText(toast))?.[1] ?? '';
  await expectText(roster, '0/6');
  const row = jobRow(page, 'Simulation jobs', jobId);
  await expect
    .poll(
      async () => {
        const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
        if (await refresh.isEnabled()) await refresh.click();
        return visibleText(row);
      },
      { timeout: 30_000, interval: 300 },
    )
    .toMatch(/Finished/);
  const results = await row.locator('.results li').allTextContents();
  expect(results).toHaveLength(6);
  const won = results.map((text) => Number(text.split(/\s/).at(-1)?.replace(/[$,+]/g, '').replace('−', '-')));
  expect(won.reduce((sum, value) => sum + value, 0)).toBe(0);
  await row.getByRole('link', { name: `Job ${jobId}` }).click();
  await page.getByText('Job Final Result').waitFor();
  expect(pageErrors).toEqual([]);
});

test('parameters out of bounds show an error at once and cannot be sent', async () => {
  const page = await visit('/simulation', { account: admin });
  await pick(page, world, 6);
  const start = page.getByRole('button', { name: 'INITIATE SIMULATION' });
  const bad: [string, string, string][] = [
    ['Rounds', '0', 'Rounds must be at least 1'],
    ['Rounds', '1000000000', 'Rounds must be at most 100'],
    ['Rounds', '2.5', 'Rounds must be a whole number'],
    ['Rounds', '', 'Rounds must be a number'],
    ['Initial blind', '-10', 'Initial blind must be at least 1'],
    ['Initial blind', '1000000000', 'Initial blind must be at most 60,000'],
    ['Blind multiplier', '0.05', 'Blind multiplier must be at least 0.1'],
    ['Blind increase interval', '0', 'Blind increase interval must be at least 1'],
  ];
  const good: Record<string, string> = {
    Rounds: '6',
    'Initial blind': '10',
    'Blind multiplier': '1',
    'Blind increase interval': '1',
  };
  const calls = await callsDuring(page, '/sim/async_run_user', async () => {
    for (const [label, value, text] of bad) {
      const field = page.getByLabel(label, { exact: true });
      await field.fill(value);
      await page.getByText(text, { exact: true }).waitFor();
      expect(await start.isDisabled(), `${label} ${value}`).toBe(true);
      await field.press('Enter');
      await field.fill(good[label] ?? '');
      await expect.poll(() => start.isEnabled()).toBe(true);
    }
  });
  expect(calls).toBe(0);
});

test('an official match has 1,000 hands and may be public from the start', async () => {
  const page = await visit('/simulation', { account: admin });
  await pick(page, world, 6);
  await page.getByLabel('Official match: 1,000 hands').check();
  expect(await page.getByLabel('Rounds').count()).toBe(0);
  await page.getByLabel('Public from the start').check();
  await press(page, 'INITIATE SIMULATION');
  const toast = page.locator('.toast').filter({ hasText: 'Simulation started: job' });
  const jobId = /job (\S+)/.exec(await visibleText(toast))?.[1] ?? '';
  // For anyone.
  const seen = () => api.get(`/sim/status/${jobId}`).catch(String);
  await expect.poll(seen, { timeout: 30_000 }).toMatchObject({ num_rounds: 1000 });
  await asAdmin.delete(`/sim/job/${jobId}`);
});

test('a user without a final submission, or deleted since the page was opened, is named in the error, and no match is created', async () => {
  const [quitter, leaver] = [freshName('quitter'), freshName('goner')];
  const [first] = await Promise.all(
    [quitter, leaver].map(async (name) => {
      const account = await registerVerified(api, admin, name);
      await submit(api, account, 'patient', true);
      return account;
    }),
  );
  const page = await visit('/simulation', { account: admin });
  const count = async () => (await asAdmin.get<object[]>('/admin/sim-admin-jobs?page_size=1000')).length;
  const before = await count();
  const start = page.getByRole('button', { name: 'INITIATE SIMULATION' });
  await pick(page, world, 5);
  await page.getByLabel('Search users').fill(quitter);
  await page.getByLabel(`Select ${quitter}`, { exact: true }).check();
  const own = api.as(first?.token ?? '');
  const { files } = await own.get<{ files: { id: string }[] }>('/submission/list');
  await own.post('/submission/unmark_final', { submission_id: files[0]?.id });
  await start.click();
  await expectToast(page, `Failed to start simulation: ${quitter} has no final submission.`);
  await expectText(page.getByRole('region', { name: 'SIMULATION ROSTER' }), '6/6');
  await press(page.getByRole('region', { name: 'SIMULATION ROSTER' }), `Remove ${quitter}`);
  await page.getByLabel('Search users').fill(leaver);
  await page.getByLabel(`Select ${leaver}`, { exact: true }).check();
  await fetch(`${inject('platform').origin}/admin/user/${leaver}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await start.click();
  await expectToast(page, `Failed to start simulation: There is no user ${leaver}`);
  expect(await count()).toEqual(before);
});
