import { join } from 'node:path';
import { linkIn, mailsIn } from '@husky/testkit/mail-folder';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { copiedText } from './admin-steps.ts';
import { open, pathOf, registerOn, visibleText, visit } from './visitor.ts';
import { botFile, password } from './world.ts';

const { dataDir, origin } = inject('platform');

function mailedLink(address: string): string {
  const mail = mailsIn(join(dataDir, 'outbox')).find(
    (text) => text.includes(address) && text.includes('/auth/verify-email/'),
  );
  return linkIn(mail ?? '', '/auth/verify-email/');
}

const botFiles = () => [
  { name: 'player.py', mimeType: 'text/x-python', buffer: Buffer.from(botFile('calling-station', 'player.py')) },
  { name: 'requirements.txt', mimeType: 'text/plain', buffer: Buffer.from('') },
];

/** Registers on the way to a protected page and waits for the mailed link. */
async function registerFrom(path: string, username: string): Promise<Page> {
  const page = await visit(path);
  await page.waitForURL('**/login');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await registerOn(page, username);
  await expect.poll(() => mailedLink(`${username}@test.invalid`)).not.toBe('');
  return page;
}

test('register, mailed link, login to the requested page, upload, test run, its replay, mark final', async () => {
  const username = `newcomer-${process.pid}`;
  const page = await registerFrom('/submission?from=story#here', username);

  // The mailed link opens in another tab of the same browser, where the user logs in.
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login' }).waitFor();
  await open(page, '/submission?from=story#here');
  await page.waitForURL('**/login');
  const tab = await page.context().newPage();
  await tab.goto(`${origin}${mailedLink(`${username}@test.invalid`)}`);
  await tab.getByText('Email Verified').waitFor();
  await tab.getByRole('link', { name: 'Proceed to Login' }).click();
  await tab.getByLabel('Username').fill(username);
  await tab.getByLabel('Password').fill(password);
  await tab.getByRole('button', { name: 'Login' }).click();
  await tab.waitForURL('**/submission?from=story#here');
  expect(pathOf(tab)).toBe('/submission?from=story#here');

  // The submission.
  await tab.getByText('No submissions yet').waitFor();
  await tab.getByLabel('Choose files').first().setInputFiles(botFiles());
  await tab.getByText('The files look right.').waitFor();
  await tab
    .getByRole('button', { name: /Submit|Upload/ })
    .last()
    .click();
  await tab.getByText('Submission 1').waitFor();

  // Its test run, and the replay of the first hand.
  await tab.getByRole('link', { name: 'Test run passed' }).waitFor({ timeout: 60_000 });
  await tab.getByRole('link', { name: 'Dashboard', exact: true }).click();
  const job = tab.getByRole('link', { name: /^Job / }).first();
  await job.waitFor();
  await tab.getByRole('button', { name: /^Copy job ID/ }).click();
  const jobId = (await job.getAttribute('href'))?.replace('/games/', '') ?? '';
  expect(await copiedText(tab, /^[\w-]{36}$/)).toBe(jobId);
  await tab.getByRole('button', { name: `Bot log of job ${jobId}` }).click();
  await tab.getByRole('dialog').getByText('CPU time').waitFor();
  await tab.keyboard.press('Escape');
  await job.click();
  await tab.getByText('Job Final Result').waitFor();
  await tab.getByRole('link', { name: 'View Hand 1', exact: true }).click();
  await tab.waitForURL('**/replay/*');
  await tab
    .getByText(/Action 1 of \d+/)
    .first()
    .waitFor();
  expect(await visibleText(tab.getByRole('main'))).toContain(username);
  await tab.getByRole('button', { name: 'Back', exact: true }).click();
  await tab.waitForURL(`**/games/${jobId}`);

  // Mark as final, check after a reload, and unmark.
  await open(tab, '/submission');
  await tab.getByRole('button', { name: /^Mark Final/ }).click();
  await tab.getByText('Marked as the final submission.').waitFor();
  await tab.reload();
  await tab.getByRole('button', { name: /^Unmark/ }).click();
  await tab.getByRole('button', { name: /^Mark Final/ }).waitFor();

  // The first tab has taken over the session and opened the page requested there.
  await page.waitForURL('**/submission?from=story#here');
});

test('an unverified session that is verified in another tab continues to the requested page', async () => {
  const username = `waiting-${process.pid}`;
  const page = await registerFrom('/leaderboard?tag=2025', username);
  const response = await fetch(`${origin}${mailedLink(`${username}@test.invalid`)}`, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe('/verification-success');
  await page.waitForURL('**/leaderboard?tag=2025');
  const link = await visit(mailedLink(`${username}@test.invalid`));
  await link.getByText('Link not valid').waitFor();
});
