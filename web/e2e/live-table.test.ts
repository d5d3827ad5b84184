import { beforeAll, expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { expectText } from './admin-steps.ts';
import { violations } from './axe.ts';
import { phone, visit } from './visitor.ts';
import { type Account, registerVerified, startMatch, submit, type World } from './world.ts';

const world: World = inject('world');
const { origin } = inject('platform');
const api = new Api(origin);
const admin = api.as(world.admin.token);
let seats: readonly Account[] = [];

beforeAll(async () => {
  const slow = await registerVerified(api, world.admin, `table-${process.pid}`);
  await submit(api, slow, 'slow', true);
  seats = [slow, ...world.bots.filter((bot) => bot.username !== 'coin-flipper')];
});

/** Makes a match public or private. Retries, because live-data stores a new match slightly later than simulation. */
async function setPublic(jobId: string, isPublic: boolean): Promise<void> {
  const change = () => admin.post(`/admin/toggle-job-public/${jobId}`, { is_public: isPublic });
  const changed = () =>
    change().then(
      () => true,
      () => false,
    );
  await expect.poll(changed, { timeout: 20_000 }).toBe(true);
}

test('a spectator on a phone reaches the table of a match in play with one click; the table ends when the match becomes private or is deleted', async () => {
  const jobId = await startMatch(api, world.admin, seats, 6_000);
  await setPublic(jobId, true);
  type Now = { running: { job_id: string; watchers: number }[] };
  const now = async () => (await api.get<Now>('/live/now')).running.find((match) => match.job_id === jobId);
  await expect.poll(now, { timeout: 20_000 }).toBeDefined();

  const page = await visit('/', { size: phone });
  const table = page.getByRole('region', { name: 'Live table' });
  await page.getByRole('region', { name: 'Live now' }).scrollIntoViewIfNeeded();
  await expectText(table, /Hand [\d,]+ of 6,000/);
  const clicked = performance.now();
  await table.locator(`a[href^="/games/${jobId}"]`).click();
  await page.waitForURL(`**/games/${jobId}*`);
  await expectText(table, /LIVE[\s\S]*Hand [\d,]+ of 6,000/);
  const seconds = (performance.now() - clicked) / 1000;
  process.stdout.write(`flow: spectator on a phone to a live table: 1 click, ${seconds.toFixed(1)} s\n`);
  await expectText(page.getByRole('region', { name: 'Last winner' }), /wins \$[\d,]+/);
  await expectText(page.getByRole('region', { name: 'Standings at the table' }), new RegExp(`table-${process.pid}`));

  const tv = await visit('/tv');
  await expectText(tv.getByRole('region', { name: 'Live table' }), /Hand [\d,]+ of 6,000/);
  await expect.poll(async () => (await now())?.watchers, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);

  await table.getByRole('button', { name: 'Pause' }).click();
  await expectText(table, /Paused\. [\d,]+ hands behind the match\./);
  expect(await violations(page)).toEqual([]);
  await table.getByLabel('Speed').selectOption('16x');
  await table.getByRole('button', { name: 'Jump to live' }).click();
  await table.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await table.getByLabel('Speed').inputValue()).toBe('live');

  const owner = await visit(`/games/${jobId}`, { account: world.admin });
  const owned = owner.getByRole('region', { name: 'Live table' });
  await expectText(owned, /Hand [\d,]+ of 6,000/);
  await setPublic(jobId, false);
  await expectText(table, /This match is private\.[\s\S]*Watch another match/);
  await expectText(tv.getByRole('main'), /No public match is in play\. These are the biggest hands of the last one\./);
  await expectText(owned, /LIVE/);
  const headers = { Authorization: `Bearer ${world.admin.token}` };
  expect((await fetch(`${origin}/sim/job/${jobId}`, { method: 'DELETE', headers })).status).toBe(200);
  await expectText(owned, 'This match was deleted.');
});
