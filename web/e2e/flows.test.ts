// Counts the clicks of what visitors do most, and prints their seconds.
import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { violations } from './axe.ts';
import { desktop, horizontalOverflow, phone, visit } from './visitor.ts';
import { type Account, botFile, endOfMatch, failingBot, failingFiles, failingLine, registerVerified } from './world.ts';

const { origin } = inject('platform');
const { admin } = inject('world');
const api = new Api(origin);

/** Counts the clicks of a flow and measures it from its first click. */
class Flow {
  clicks = 0;
  #start = 0;

  async click(target: Locator): Promise<void> {
    await target.waitFor();
    if (this.clicks === 0) this.#start = performance.now();
    this.clicks += 1;
    await target.click();
  }

  end(name: string): void {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(1);
    process.stdout.write(`flow: ${name}: ${this.clicks} clicks, ${seconds} s\n`);
  }
}

/** Registers a user whose first test run is clean and whose second one fails in every decision. */
async function registerAuthorWithFailedRun(name: string): Promise<{ author: Account; jobId: string }> {
  const author = await registerVerified(api, admin, `${name}-${process.pid}`);
  const run = async (text: string) => {
    const files = { python_file: { name: 'player.py', text }, packages_file: { name: 'requirements.txt', text: '' } };
    const { job_id } = await api.as(author.token).upload<{ job_id: string }>('/sim/async_run', files);
    await endOfMatch(api, admin, job_id);
    return job_id;
  };
  await run(botFile('calling-station', 'player.py'));
  return { author, jobId: await run(failingBot().text) };
}

const jobsTable = (page: Page) => page.getByRole('table', { name: 'My Jobs' });

test('newcomer: to the most exciting hand', async () => {
  const page = await visit('/');
  const flow = new Flow();
  await flow.click(page.getByRole('link', { name: 'Replay it step by step' }));
  await page.waitForURL('**/replay/**');
  await page.getByRole('heading', { name: 'POKER REPLAY' }).waitFor();
  await page.getByRole('region', { name: /^Table, / }).waitFor();
  flow.end('newcomer to the most exciting hand');
  expect(flow.clicks).toBe(1);
});

test('author: from a failed run to the failing line', async () => {
  const { author } = await registerAuthorWithFailedRun('line');
  const { line } = failingBot();
  const page = await visit('/', { account: author });
  const flow = new Flow();
  await flow.click(page.getByRole('link', { name: 'Dashboard', exact: true }).first());
  await flow.click(jobsTable(page).getByRole('link', { name: `Show line ${line}` }));
  const excerpt = page.getByRole('figure').filter({ hasText: `player.py, line ${line}` });
  await excerpt.getByText(failingLine).waitFor();
  flow.end('failed run to failing line');
  expect(flow.clicks).toBeLessThanOrEqual(2);
  await page.getByText(new RegExp(`^\\d+ of \\d+ decisions failed: KeyError 3; .*, line ${line}\\.$`)).waitFor();

  await page.getByText('Changes since the version of').click();
  const changes = page.getByRole('region', { name: 'Changes of player.py' });
  await changes.getByText(`+ `).first().waitFor();
  expect(await changes.textContent()).toContain(failingLine);
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
  }
  await page.getByRole('link', { name: /^First faulty step/ }).click();
  await page.waitForURL(/\/replay\/[0-9a-f-]+\?step=\d+/);
  await page.getByText('raised an exception').first().waitFor();
});

test('author: from a failed run to the hand that lost most', async () => {
  const { author, jobId } = await registerAuthorWithFailedRun('hand');
  const page = await visit('/dashboard', { account: author });
  const flow = new Flow();
  await flow.click(jobsTable(page).getByRole('link', { name: `Your bot in job ${jobId}` }));
  await flow.click(page.getByRole('link', { name: /^Hand that lost most/ }));
  await page.waitForURL('**/replay/**');
  await page.getByRole('heading', { level: 1 }).waitFor();
  flow.end('failed run to the hand that lost most');
  expect(flow.clicks).toBeLessThanOrEqual(2);
});

test('an upload shows by itself that its bot fails, and in which line; Mark Final asks', async () => {
  const author = await registerVerified(api, admin, `uploader-${process.pid}`);
  const { line } = failingBot();
  const page = await visit('/submission', { account: author });
  const [player, requirements] = failingFiles();
  const importing = {
    ...player,
    buffer: Buffer.from(`${failingBot().text}\ntry:\n    import sklearn\nexcept ImportError:\n    pass\n`),
  };
  const picker = page.getByLabel('Choose files').first();
  await picker.setInputFiles([importing, requirements] as Parameters<typeof picker.setInputFiles>[0]);
  await page.getByText(/^Warning: player\.py tries to import sklearn in line \d+, .*scikit-learn/).waitFor();
  await page.getByRole('button', { name: 'Upload Submission' }).click();
  const row = page.locator('.submission');
  await row.getByRole('link', { name: 'Failed its test run' }).waitFor({ timeout: 60_000 });
  await row.getByText(new RegExp(`decisions failed: KeyError 3; .*, line ${line}`)).waitFor();
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
  }
  await row.getByRole('button', { name: /^Mark Final/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark a bot that failed?' });
  await dialog.getByText(/In the tournament it would lose the same way\.$/).waitFor();
  await dialog.getByRole('button', { name: 'Mark it anyway' }).click();
  await page.getByText('Marked as the final submission.').waitFor();
  await row.getByRole('link', { name: `Show line ${line}` }).click();
  await page.getByText(failingLine).first().waitFor();
});

test('the dashboard says what failed after a test run, and runs the same files again', async () => {
  const author = await registerVerified(api, admin, `doctor-${process.pid}`);
  const { line } = failingBot();
  const page = await visit('/dashboard', { account: author });
  await page.getByLabel('Choose files').first().setInputFiles(failingFiles());
  await page.getByText('The files look right.').waitFor();
  await page.getByRole('button', { name: 'Submit Bot' }).click();
  const run = page.getByRole('region', { name: 'Your test run' });
  await run.getByText(new RegExp(`decisions failed: KeyError 3; .*, line ${line}\\.`)).waitFor({ timeout: 60_000 });
  await run.getByText(failingLine).waitFor();
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
  }
  // Another page, and no cooldown between two test runs.
  await page.evaluate(() => localStorage.removeItem('husky.cooldown.test-run'));
  await jobsTable(page)
    .getByRole('link', { name: /^Your bot in job/ })
    .click();
  const before = page.url();
  await page.getByRole('button', { name: 'Run again with the same files' }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByText(new RegExp(`decisions failed: KeyError 3; .*, line ${line}\\.`)).waitFor({ timeout: 60_000 });
});
