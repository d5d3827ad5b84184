// Steps shared by the tests of the admin pages.
import type { Download, Locator, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { open } from './visitor.ts';
import { type Account, endOfMatch, registerVerified, startMatch, type World } from './world.ts';

const world: World = inject('world');
const { origin } = inject('platform');

export const api = new Api(origin);
export const asAdmin = api.as(world.admin.token);

let nameCount = 0;
/** Returns a name that is unique in the test run. */
export const freshName = (stem: string): string => `${stem}-${process.pid}-${++nameCount}`;

/** Registers a second admin. */
export async function secondAdmin(stem: string): Promise<Account> {
  const account = await registerVerified(api, world.admin, freshName(stem));
  await asAdmin.post(`/admin/toggle-admin/${account.username}`, { admin: true });
  return account;
}

/** Plays a private match of a few hands between the bots of the world and returns its job id. */
export async function finishedMatch(hands = 2): Promise<string> {
  const jobId = await startMatch(api, world.admin, world.bots, hands);
  await endOfMatch(api, world.admin, jobId);
  return jobId;
}

/** Starts a batch of these users with short matches and returns its id. It is deleted at the end of the test. */
export async function startBatch(users: readonly Account[], num_rounds = 30): Promise<string> {
  const users_list = users.map(({ username }) => username);
  const { batch_id } = await asAdmin.post<{ batch_id: string }>('/llm/batch-run', { users_list, num_rounds });
  onTestFinished(async () => {
    const headers = { authorization: `Bearer ${world.admin.token}` };
    await fetch(`${origin}/llm/batch/${batch_id}`, { method: 'DELETE', headers });
  });
  return batch_id;
}

/** Waits until the matches of a batch are finished, and returns the batch's number. */
export async function finishedBatchNumber(batchId: string, matches = 1): Promise<number> {
  interface Batch {
    readonly batch_number: number;
    readonly job_statuses: { readonly FINISHED: number };
  }
  const read = () => asAdmin.get<Batch>(`/llm/batch/${batchId}`);
  const finished = async () => (await read()).job_statuses.FINISHED;
  await expect.poll(finished, { timeout: 120_000, interval: 300 }).toBe(matches);
  return (await read()).batch_number;
}

export const messages = (page: Page): Locator => page.getByRole('region', { name: 'Messages' });

/** Waits for a toast with this text and dismisses it, so that later steps do not find it again. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const toasts = page.locator('.toast').filter({ hasText: text });
  await toasts.first().waitFor();
  // Does not wait for a button: the toast may expire before the click.
  const dismiss = toasts.getByRole('button', { name: 'Dismiss message' });
  await dismiss.evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click();
  });
  await expect.poll(() => toasts.count()).toBe(0);
}

export const press = (within: Page | Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

/** Waits for a confirmation dialog with this text and returns it. */
export async function expectDialog(page: Page, text: string | RegExp): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText(text).first().waitFor();
  return dialog;
}

export const rowOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

export const jobRow = (page: Page, table: string, jobId: string): Locator =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: `Job ${jobId}` }) });

const pattern = (text: string | RegExp) =>
  typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i') : text;
// allInnerTexts does not wait, so an element that the page has just removed does not block.
const firstText = async (where: Locator) => ((await where.allInnerTexts())[0] ?? '').replaceAll('\u00a0', ' ');

/** Waits until the visible text of the first matching element contains the text or matches the pattern. */
export const expectText = (where: Locator, text: string | RegExp, timeout = 20_000) =>
  expect.poll(() => firstText(where), { timeout }).toMatch(pattern(text));

/** Waits until a counter has been loaded, and returns it. */
export async function loadedCount(where: Locator): Promise<number> {
  await expectText(where, /^[\d,]+$/);
  return Number((await firstText(where)).replaceAll(',', ''));
}

/** Reopens the page until it has the text, because the gateway caches the event's settings for 3 s. */
export const reopenUntil = (page: Page, path: string, where: Locator, text: string | RegExp) =>
  expect
    .poll(
      async () => {
        await open(page, path);
        return firstText(where);
      },
      { timeout: 30_000 },
    )
    .toMatch(pattern(text));

/** Waits until the clipboard has a matching text and returns it: writing is asynchronous. */
export async function copiedText(page: Page, text: RegExp): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).toMatch(text);
  return read();
}

/** Returns the text of a downloaded file. */
export async function savedText(file: Download): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await file.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Returns the scores of a leaderboard by user. */
export async function scores(tag: string): Promise<Record<string, number>> {
  const { top_entries } = await api.get<{ top_entries: { username: string; score: number }[] }>(
    `/leaderboard/top/1000?tag=${encodeURIComponent(tag)}`,
  );
  return Object.fromEntries(top_entries.map(({ username, score }) => [username, score]));
}

/** Returns the actions on a subject in the audit log, oldest first. */
export async function actionsOn(subject: string): Promise<string[]> {
  const { records } = await asAdmin.get<{ records: { action: string }[] }>(
    `/admin/audit?subject=${encodeURIComponent(subject)}&page_size=200`,
  );
  return records.map(({ action }) => action).reverse();
}

/** Runs `act` and counts the calls other than GET to the path; 0 if the form refuses the input itself. */
export async function callsDuring(page: Page, path: string, act: () => Promise<void>): Promise<number> {
  let calls = 0;
  const count = (request: { method(): string; url(): string }) => {
    if (request.method() !== 'GET' && request.url().includes(path)) calls++;
  };
  page.on('request', count);
  await act();
  page.off('request', count);
  return calls;
}
