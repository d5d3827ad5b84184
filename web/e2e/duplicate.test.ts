import { afterAll, expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { asAdmin, expectText, expectToast, press } from './admin-steps.ts';
import { violations } from './axe.ts';
import { pick } from './screen-list.ts';
import { pageErrors, phone, visit } from './visitor.ts';
import { endOfMatch, type World } from './world.ts';

const world: World = inject('world');
const { admin, bots } = world;
const { origin } = inject('platform');
let batchId = '';

afterAll(async () => {
  const headers = { authorization: `Bearer ${admin.token}` };
  if (batchId !== '') await fetch(`${origin}/llm/batch/${batchId}`, { method: 'DELETE', headers });
});

test('an admin starts the six matches of a deal set, and their pages link each other', async () => {
  const page = await visit('/simulation', { account: admin });
  await pick(page, world, 6);
  await page.getByLabel('Rounds').fill('3');
  await page.getByLabel('Mode', { exact: true }).selectOption('duplicate');
  const responsePromise = page.waitForResponse('**/sim/async_run_user');
  await press(page, 'INITIATE SIMULATION');
  const { job_ids } = (await (await responsePromise).json()) as { job_ids: string[] };
  await expectToast(page, 'Simulation started: 6 matches of a deal set');
  for (const id of job_ids) await endOfMatch(new Api(origin), admin, id);
  await page.goto(`/games/${job_ids[1]}`);
  const others = page.getByRole('navigation', { name: 'Matches of the deal set' });
  await expectText(others, 'Duplicate play, rotation 2 of 6');
  expect(await others.getByRole('link').count()).toBe(5);
  expect(await violations(page)).toEqual([]);
  await others.getByRole('link', { name: 'Rotation 6' }).click();
  await page.waitForURL(`**/games/${job_ids[5]}`);
  await expectText(others, 'rotation 6 of 6');
  expect(pageErrors).toEqual([]);
});

test('the form shows the size of a batch before it starts, and the batch page its stopping rule', async () => {
  const page = await visit('/llm-batch', { account: admin });
  await pick(page, world, 6);
  const status = page.locator('.combinations');
  await expectText(status, 'Will generate 1 combinations');
  await page.getByLabel('Mode', { exact: true }).selectOption('duplicate');
  await expectText(status, '6 matches, at most 6,000 hands. 1 deal set of 6 matches. Two players meet in 1 deal set.');
  await page.getByLabel('Tables').selectOption('balanced');
  await page.getByLabel('Budget of hands').fill('5999');
  await page.getByText('6 users need at least 6,000 hands').waitFor();
  expect(await page.getByRole('button', { name: 'CREATE BATCH' }).isDisabled()).toBe(true);
  await page.getByLabel('Budget of hands').fill('60000');
  await expectText(
    status,
    '60 matches, at most 60,000 hands. 10 deal sets of 6 matches. Two players meet in 10 deal sets.',
  );
  await page.getByLabel('End').selectOption('pair');
  expect(await page.getByRole('button', { name: 'CREATE BATCH' }).isDisabled()).toBe(true);
  await page.getByLabel('First user').selectOption(bots[0]?.username ?? '');
  await page.getByLabel('Second user').selectOption(bots[1]?.username ?? '');
  expect(await page.getByRole('button', { name: 'CREATE BATCH' }).isEnabled()).toBe(true);
  expect(await violations(page)).toEqual([]);

  const body = {
    users_list: bots.slice(0, 6).map(({ username }) => username),
    mode: 'duplicate',
    design: 'balanced',
    num_rounds: 2,
    stacks: 'carry',
    hand_budget: 96,
    stop_rule: { users: bots.slice(0, 2).map(({ username }) => username), alpha: 0.5 },
  };
  batchId = (await asAdmin.post<{ batch_id: string }>('/llm/batch-run', body)).batch_id;
  const read = () =>
    asAdmin.get<{ batch_number: number; job_statuses: Record<string, number>; generated_jobs: number }>(
      `/llm/batch/${batchId}`,
    );
  await expect
    .poll(
      async () => {
        const { generated_jobs, job_statuses } = await read();
        return generated_jobs === 48 && job_statuses.PENDING === 0 && job_statuses.RUNNING === 0;
      },
      { timeout: 120_000, interval: 500 },
    )
    .toBe(true);
  const small = await visit(`/batches/${(await read()).batch_number}`, { account: admin, size: phone });
  await small.getByText('Duplicate play: for 8 tables of 6 among 6 players').waitFor();
  const panel = small.getByRole('region', { name: 'Stopping rule' });
  await expectText(panel, 'The batch ends when the results tell');
  await panel.getByRole('table', { name: 'Pairs of the stopping rule' }).waitFor();
  await panel.getByRole('table', { name: 'Players of the stopping rule' }).waitFor();
  expect(await violations(small)).toEqual([]);
  expect(pageErrors).toEqual([]);
});
