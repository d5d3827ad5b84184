// Two admins do the same in two browsers at once: the state is consistent, and both pages show a message.
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import {
  actionsOn,
  api,
  asAdmin,
  expectDialog,
  expectText,
  finishedMatch,
  freshName,
  messages,
  press,
  rowOf,
  scores,
  secondAdmin,
} from './admin-steps.ts';
import { pageErrors, visibleText, visit } from './visitor.ts';
import { registerVerified, startMatch, submit, type World } from './world.ts';

const world: World = inject('world');
const { admin, bots } = world;
const other = await secondAdmin('second');

const visitAsBoth = (path: string): Promise<[Page, Page]> =>
  Promise.all([visit(path, { account: admin }), visit(path, { account: other })]);

/** Waits for a toast on each page and returns their texts in alphabetical order. */
async function toastTexts(pages: readonly Page[]): Promise<string[]> {
  const texts = await Promise.all(
    pages.map(async (page) => {
      const toast = messages(page).locator('p').first();
      await toast.waitFor();
      return visibleText(toast);
    }),
  );
  return texts.sort();
}

async function atOnce(pages: readonly Page[], act: (page: Page) => Promise<void>): Promise<string[]> {
  await Promise.all(pages.map(act));
  return toastTexts(pages);
}

async function findUser(name: string): Promise<[Page, Page]> {
  const pages = await visitAsBoth('/admin');
  for (const page of pages) {
    await page.getByLabel('Search users').fill(name);
    await rowOf(page, 'User management', name).waitFor();
  }
  return pages;
}

test('both grant admin to the same user: it is granted once, and both pages show the same role', async () => {
  const { username: name } = await registerVerified(api, admin, freshName('rising'));
  const pages = await findUser(name);
  for (const page of pages) {
    await press(page, `GRANT ADMIN for ${name}`);
    await expectDialog(page, 'Grant admin');
  }
  expect(await atOnce(pages, (page) => press(page.getByRole('dialog'), 'Grant admin'))).toEqual([
    `Failed to update admin status: ${name} is an admin already`,
    `${name} is now an admin.`,
  ]);
  for (const page of pages) {
    await expectText(rowOf(page, 'User management', name), 'REVOKE ADMIN');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  }
  expect((await actionsOn(name)).filter((action) => action === 'user.role_changed')).toHaveLength(1);
  await asAdmin.post(`/admin/toggle-admin/${name}`, { admin: false });
});

test('both delete the same user: it is deleted once, and the second admin gets an error', async () => {
  const { username: name } = await registerVerified(api, admin, freshName('leaving'));
  const pages = await findUser(name);
  for (const page of pages) {
    await press(page, `DELETE ${name}`);
    await expectDialog(page, 'This is permanent');
  }
  expect(await atOnce(pages, (page) => press(page.getByRole('dialog'), 'Delete user'))).toEqual([
    'Failed to delete user: User not found',
    `${name} deleted.`,
  ]);
  for (const page of pages) {
    await expectText(page.getByRole('region', { name: 'USER MANAGEMENT MATRIX' }), 'No users found');
  }
});

test('both add the same match to 2025: it counts once, and both pages offer to remove it', async () => {
  const jobId = await finishedMatch();
  const before = await scores('2025');
  const pages = await visitAsBoth('/admin/games');
  const texts = await atOnce(pages, (page) => press(page, `Add to 2025, job ${jobId}`));
  expect(texts).toEqual([
    expect.stringMatching(/^Failed to process job for 2025 leaderboard\. .*already/),
    'Job added to the 2025 leaderboard.',
  ]);
  for (const page of pages) {
    await page.getByRole('button', { name: `Remove from 2025, job ${jobId}`, exact: true }).waitFor();
  }
  const { result_data: deltas } = await asAdmin.get<{ result_data: Record<string, number> }>(`/sim/status/${jobId}`);
  const after = await scores('2025');
  for (const { username } of bots) {
    expect((after[username] ?? 0) - (before[username] ?? 0)).toBeCloseTo(deltas[username] ?? Number.NaN, 6);
  }
  await asAdmin.post(`/admin/delete-tournament-2025-job/${jobId}`);
});

test('one publishes a running match while the other one deletes it: it is deleted in either order', async () => {
  const slow = await registerVerified(api, admin, freshName('idle'));
  await submit(api, slow, 'slow', true);
  const jobId = await startMatch(api, admin, [slow, ...bots.slice(1)], 2000);
  await expect
    .poll(async () => (await asAdmin.get<{ job_status: string }>(`/sim/status/${jobId}`)).job_status, {
      timeout: 30_000,
    })
    .toBe('Running');
  // live-data lists a match once its runner has opened it, shortly after the match is running.
  const countListed = async () => (await asAdmin.get<{ total_count: number }>(`/live/job-ids?q=${jobId}`)).total_count;
  await expect.poll(countListed, { timeout: 20_000 }).toBe(1);
  const [publisher, deleter] = await visitAsBoth('/admin/games');
  const cards = [publisher, deleter].map((page) => page.locator('.job-card').filter({ hasText: jobId }));
  await expectText(cards[1] ?? deleter.locator('main'), 'LIVE');
  await press(deleter, `Delete job ${jobId}`);
  const dialog = await expectDialog(deleter, 'It has not ended yet and will be stopped.');
  await press(publisher, `MAKE PUBLIC, job ${jobId}`);
  const question = await expectDialog(publisher, 'Everybody can read');
  // Handles, because the publisher's dialog closes with its card if the match is deleted first.
  const buttons = await Promise.all([
    question.getByRole('button', { name: 'Make public', exact: true }).elementHandle(),
    dialog.getByRole('button', { name: 'Delete job', exact: true }).elementHandle(),
  ]);
  await Promise.all(buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())));
  await expectText(messages(deleter), 'Job deleted.');
  await expect.poll(() => cards[1]?.count()).toBe(0);
  await press(publisher, 'Refresh');
  await expect.poll(() => cards[0]?.count(), { timeout: 20_000 }).toBe(0);
  const log = await actionsOn(jobId);
  expect(log.filter((action) => action !== 'job.visibility_changed')).toEqual(['job.created', 'job.deleted']);
});

test('both add the same batch to the leaderboard and remove it: it counts once, then not at all', async () => {
  const before = await scores('llm-batch');
  const { batch_id: id } = await asAdmin.post<{ batch_id: string }>('/llm/batch-run', {
    users_list: bots.map(({ username }) => username),
    num_rounds: 30,
  });
  const statuses = () => asAdmin.get<{ job_statuses: { FINISHED: number } }>(`/llm/batch/${id}`);
  await expect.poll(async () => (await statuses()).job_statuses.FINISHED, { timeout: 60_000, interval: 300 }).toBe(1);
  let pages = await visitAsBoth('/llm-batch');
  const cardOf = (page: Page) => page.locator('.batch').filter({ hasText: id });
  const openDialogs = async (label: string, text: string) => {
    for (const page of pages) {
      await press(cardOf(page), label);
      await expectDialog(page, text);
    }
  };
  await openDialogs('Add to Leaderboard', 'Add the results');
  expect(await atOnce(pages, (page) => press(page.getByRole('dialog'), 'Add to leaderboard'))).toEqual([
    '1 jobs added to the leaderboard',
    'No new finished jobs to add',
  ]);
  const { standings } = await asAdmin.get<{ standings: { username: string; delta: number }[] }>(`/llm/batch/${id}`);
  const after = await scores('llm-batch');
  for (const { username, delta } of standings) {
    expect((after[username] ?? 0) - (before[username] ?? 0), username).toBeCloseTo(delta, 6);
  }
  for (const page of pages) await expectText(cardOf(page), 'ON LEADERBOARD');
  pages = await visitAsBoth('/llm-batch');
  await openDialogs('Remove', 'Its matches are kept.');
  expect(await atOnce(pages, (page) => press(page.getByRole('dialog'), 'Remove from leaderboard'))).toEqual([
    '1 jobs removed from the leaderboard',
    'The batch is not on the leaderboard',
  ]);
  expect(await scores('llm-batch')).toEqual(before);
  pages = await visitAsBoth('/llm-batch');
  await openDialogs('Delete', 'delete this batch');
  const deleted = await atOnce(pages, (page) => press(page.getByRole('dialog'), 'Delete batch'));
  expect(deleted).toEqual(['Batch deleted', 'Failed to delete batch: Batch not found']);
  for (const page of pages) await expect.poll(() => cardOf(page).count()).toBe(0);
  expect(pageErrors).toEqual([]);
});

test('both delete the same entry of the leaderboard: the second one gets an error', async () => {
  const tag = freshName('prize');
  await asAdmin.post('/leaderboard/add', { score: 5, tag });
  const pages = await visitAsBoth(`/leaderboard?tag=${tag}`);
  for (const page of pages) {
    await press(page, `Delete the entry of ${admin.username}`);
    await expectDialog(page, 'Are you sure');
  }
  expect(await atOnce(pages, (page) => press(page.getByRole('dialog'), 'Delete'))).toEqual([
    'Entry deleted.',
    'Failed to delete entry. Leaderboard entry not found',
  ]);
  for (const page of pages) await page.getByText('No entries found').waitFor();
});

test('both scale the pool: the later size is applied, and both pages list both jobs', async () => {
  const status = () => asAdmin.get<{ data: { pool_size: number; target_size: number } }>('/docker/pool/status');
  const first = (await status()).data.target_size;
  const pages = await visitAsBoth('/container-manager');
  for (const [index, page] of pages.entries()) {
    await page.getByLabel('Target size').fill(String(first + 1 + index));
  }
  expect(await atOnce(pages, (page) => press(page, 'Scale Now'))).toEqual([
    `Scaling to ${first + 1} started.`,
    `Scaling to ${first + 2} started.`,
  ]);
  const { target_size: applied } = (await status()).data;
  expect([first + 1, first + 2]).toContain(applied);
  await expect.poll(async () => (await status()).data.pool_size, { timeout: 30_000, interval: 300 }).toBe(applied);
  for (const page of pages) {
    await page.reload();
    const rows = page.getByRole('table', { name: 'Scaling jobs' }).locator('tbody tr');
    await expectText(rows.first(), new RegExp(`→ ${applied}\\b`));
    await expectText(
      page.getByRole('region', { name: 'CURRENT POOL STATUS' }),
      new RegExp(`Pool Size\\s+${applied}\\b`, 'i'),
    );
  }
  await asAdmin.post(`/docker/pool/scale?target_size=${first}`);
  await expect.poll(async () => (await status()).data.pool_size, { timeout: 30_000, interval: 300 }).toBe(first);
});
