import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, inject, test } from 'vitest';
import { actionsOn, api, asAdmin, expectDialog, expectText, expectToast, press, rowOf, scores } from './admin-steps.ts';
import { pick } from './screen-list.ts';
import { open, pageErrors, visibleText, visit } from './visitor.ts';
import { registerVerified, submit, type World } from './world.ts';

const world: World = inject('world');
const { admin, bots } = world;
const { origin } = inject('platform');
const createdIds: string[] = [];

interface Batch {
  readonly batch_id: string;
  readonly standings: readonly { readonly username: string; readonly delta: number }[];
}

afterAll(async () => {
  for (const id of createdIds) {
    const call = { headers: { authorization: `Bearer ${admin.token}` } };
    await fetch(`${origin}/llm/delete-batch-leaderboard/${id}`, { ...call, method: 'POST' });
    await fetch(`${origin}/llm/batch/${id}`, { ...call, method: 'DELETE' });
  }
});

/** Selects the users, creates the batch and returns its id and card. */
async function createBatch(page: Page, more: readonly string[] = []): Promise<{ id: string; card: Locator }> {
  await pick(page, world, 6);
  for (const name of more) {
    await page.getByLabel('Search users').fill(name);
    await page.getByLabel(`Select ${name}`, { exact: true }).check();
  }
  const responsePromise = page.waitForResponse('**/llm/batch-run');
  await press(page, 'CREATE BATCH');
  const { batch_id: id } = (await (await responsePromise).json()) as { batch_id: string };
  createdIds.push(id);
  return { id, card: page.locator('.batch').filter({ hasText: id }) };
}

/** Refreshes until the card has the text; the page itself polls every 15 s. */
async function refreshUntil(page: Page, card: Locator, text: RegExp): Promise<void> {
  const refreshedText = async () => {
    const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
    if (await refresh.isEnabled()) await refresh.click();
    return (await visibleText(card)).replace(/\s+/g, ' ');
  };
  await expect.poll(refreshedText, { timeout: 60_000, interval: 300 }).toMatch(text);
}

const counts = (total: number, pending: number, running: number, finished: number, failed: number) =>
  new RegExp(`Total ${total} Pending ${pending} Running ${running} Finished ${finished} Failed ${failed}`, 'i');

test('a batch is created, runs to its end, is added to the leaderboard and removed without a difference, and is published', async () => {
  const before = await scores('llm-batch');
  const page = await visit('/llm-batch', { account: admin });
  const roster = page.getByRole('region', { name: 'BATCH ROSTER' });
  await expectText(roster, 'Will generate 0 combinations');
  expect(await page.getByRole('button', { name: 'SELECT AT LEAST 6 PARTICIPANTS' }).isDisabled()).toBe(true);
  await pick(page, world, 5);
  expect(await page.getByRole('button', { name: 'SELECT AT LEAST 6 PARTICIPANTS' }).isDisabled(), 'five').toBe(true);
  await press(roster, 'CLEAR ALL');
  const { id, card } = await createBatch(page);
  await expectToast(page, 'Batch created: 1 jobs.');
  await expectText(roster, '0 selected');
  await refreshUntil(page, card, counts(1, 0, 0, 1, 0));
  await expectText(card, /PRIVATE/);

  await press(card, 'Job Details');
  await expectText(card.getByRole('table', { name: 'Jobs of the batch' }), /#1[\s\S]*Finished/i);
  await press(card, 'Standing');
  const { standings } = await asAdmin.get<Batch>(`/llm/batch/${id}`);
  const rows = card.getByRole('table', { name: 'Standing' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(6);
  const shown = (await rows.allInnerTexts()).map((text) => text.split(/\s+/)[1]);
  expect(shown).toEqual(standings.map(({ username }) => username));

  await press(card, 'Add to Leaderboard');
  await press(await expectDialog(page, 'Add the results of the finished matches of batch #'), 'Add to leaderboard');
  await expectToast(page, '1 jobs added to the leaderboard');
  await expectText(card, 'ON LEADERBOARD');
  for (const name of ['Add to Leaderboard', 'Delete']) {
    await expect.poll(() => card.getByRole('button', { name, exact: true }).isDisabled(), { message: name }).toBe(true);
  }
  const added = await scores('llm-batch');
  for (const { username, delta } of standings) {
    expect((added[username] ?? 0) - (before[username] ?? 0), username).toBeCloseTo(delta, 6);
  }
  await press(card, 'Remove');
  await press(await expectDialog(page, 'Its matches are kept.'), 'Remove from leaderboard');
  await expectToast(page, '1 jobs removed from the leaderboard');
  await expect.poll(() => card.getByText('ON LEADERBOARD').count()).toBe(0);
  expect(await scores('llm-batch')).toEqual(before);

  const anonymous = await visit('/games');
  await press(card, 'Metadata');
  await press(card, 'Edit Metadata');
  await card.getByLabel('Metadata (JSON)').fill('{"batch_number": "seven"}');
  await press(card, 'Save');
  await expectToast(page, 'Failed to update metadata: batch_number must be a whole number from 1 to 999,999,999.');
  await card.getByLabel('Metadata (JSON)').fill('{"batch_number": 4711}');
  await press(card, 'Save');
  await expectToast(page, 'Metadata saved; 1 entries updated.');
  await expectText(card, 'Batch #4711');
  const titled = anonymous.getByRole('link', { name: 'Batch #4711 Game #1', exact: true });
  await press(card, 'MAKE PUBLIC');
  await press(await expectDialog(page, 'also of matches that are still to be played'), 'Make public');
  await expectToast(page, 'The batch is now public.');
  await open(anonymous, '/games');
  await titled.click();
  await expectText(anonymous.locator('.hand-row').first(), /Hand #1[\s\S]*Batch 4711/);
  await press(card, 'MAKE PRIVATE');
  await press(await expectDialog(page, 'Only their players and admins'), 'Make private');
  await expectToast(page, 'The batch is now private.');
  await open(anonymous, '/games');
  expect(await titled.count()).toBe(0);
  await press(card, 'Delete');
  await press(
    await expectDialog(page, 'Are you sure you want to delete this batch and all related jobs?'),
    'Delete batch',
  );
  await expect.poll(() => card.count()).toBe(0);
  const visibility = ['batch.visibility_changed', 'batch.visibility_changed'];
  await expect
    .poll(() => actionsOn(id))
    .toEqual([
      'batch.created',
      'batch.added_to_leaderboard',
      'batch.removed_from_leaderboard',
      'batch.metadata_saved',
      ...visibility,
      'batch.deleted',
    ]);
  expect(pageErrors).toEqual([]);
});

test('a batch of seven users has seven matches, which are paused, resumed, cancelled, retried and deleted', async () => {
  const slow = await registerVerified(api, admin, `tardy-${process.pid}`);
  await submit(api, slow, 'slow', true);
  const page = await visit('/llm-batch', { account: admin });
  await page.getByLabel('Public from the start').check();
  const { id, card } = await createBatch(page, [slow.username]);
  await expectToast(page, 'Batch created: 7 jobs.');
  await card.getByRole('button', { name: 'MAKE PRIVATE' }).waitFor();
  await press(card, 'Pause');
  await expectToast(page, /paused/i);
  await expectText(card, 'PAUSED');
  await press(card, 'Resume');
  await expectToast(page, /resumed/i);
  await expect.poll(() => card.getByText('PAUSED', { exact: true }).count()).toBe(0);
  await refreshUntil(page, card, /Running [1-9]/i);
  await press(card, 'Job Details');
  await expectText(card, '1-7 of 7 jobs');
  await press(card, 'Cancel');
  const dialog = await expectDialog(page, 'Matches that have not finished are stopped and count as failed');
  await press(dialog, 'Keep it running');
  await press(card, 'Cancel');
  await press(await expectDialog(page, 'Cancel batch #'), 'Cancel the batch');
  await expectToast(page, /cancelled/i);
  await expectText(card, 'Cancelled');
  await refreshUntil(page, card, /Pending 0 Running 0/i);
  await card.getByLabel('Status').selectOption('Failed');
  await expectText(rowOf(page, 'Jobs of the batch', 'Failed'), /cancelled/i);
  expect(await card.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0);
  await press(card, 'Retry failed jobs');
  await expectToast(page, /queued|retr/i);
  await refreshUntil(page, card, /Failed 0/i);
  await press(card, 'Delete');
  await press(await expectDialog(page, 'delete this batch and all related jobs'), 'Delete batch');
  await expect.poll(() => card.count()).toBe(0);
  await expect
    .poll(() => actionsOn(id))
    .toEqual(
      ['created', 'visibility_changed', 'paused', 'resumed', 'cancelled', 'retried', 'deleted'].map(
        (what) => `batch.${what}`,
      ),
    );
  expect(pageErrors).toEqual([]);
});

test('metadata is edited as JSON: errors disable the save, polls do not change the input, newer metadata is not overwritten', async () => {
  const { batch_id: id } = await asAdmin.post<Batch>('/llm/batch-run', {
    users_list: bots.map((bot) => bot.username),
    num_rounds: 30,
  });
  createdIds.push(id);
  const path = `/llm/batch/${id}/metadata`;
  const page = await visit('/llm-batch', { account: admin });
  const card = page.locator('.batch').filter({ hasText: id });
  await press(card, 'Metadata');
  await expectText(card, 'No metadata');
  await press(card, 'Edit Metadata');
  const field = card.getByLabel('Metadata (JSON)');
  const save = card.getByRole('button', { name: 'Save', exact: true });
  for (const [text, error] of [
    ['{"batch_number": }', /JSON/],
    ['[1, 2]', /The metadata must be a JSON object/],
    ['"text"', /The metadata must be a JSON object/],
  ] as const) {
    await field.fill(text);
    await expectText(card, error);
    expect(await save.isDisabled(), text).toBe(true);
  }
  await field.fill(JSON.stringify({ note: 'x'.repeat(65_600) }));
  await save.click();
  await expectToast(page, 'Failed to update metadata: The metadata is larger than 64 KB');

  // Another admin saves the first metadata during the edit, and the page refreshes.
  await field.fill('{"note": "mine"}');
  await asAdmin.post(path, { note: 'theirs' });
  await press(page, 'Refresh');
  await press(card, 'Standing');
  await press(card, 'Metadata');
  expect(await field.inputValue()).toBe('{"note": "mine"}');
  await save.click();
  await expectToast(page, 'Failed to update metadata: Somebody else has saved this metadata');
  await expectText(card, 'Somebody else saved other metadata in the meantime. Your input is kept.');
  expect(await field.inputValue()).toBe('{"note": "mine"}');
  await press(card, 'Load saved version');
  await expect.poll(() => field.inputValue()).toContain('theirs');
  await field.fill('{"note": "both", "batch_number": 77}');
  await save.click();
  await expectToast(page, 'Metadata saved; 1 entries updated.');
  await expectText(card.locator('pre'), /"note": "both"/);
  await expectText(card, 'Batch #');
  expect(await asAdmin.get(path)).toMatchObject({ batch_metadata: { note: 'both', batch_number: 77 } });
  await press(card, 'Edit Metadata');
  await field.fill('');
  await save.click();
  await expectToast(page, 'Metadata saved');
  await expectText(card, 'No metadata');
  expect(pageErrors).toEqual([]);
});
