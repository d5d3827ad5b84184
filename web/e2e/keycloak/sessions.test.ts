// Sessions of single sign-on: how they last, how they end, and what an administrator of Keycloak changes under them.
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { violations } from '../axe.ts';
import { open } from '../visitor.ts';
import * as people from './people.ts';
import { button, dialogName, enter, lookAt, signInAtKeycloak, statusFor, tokenOf } from './steps.ts';

/** Counts the exchanges of a browser with Keycloak for tokens from now on. */
function countExchanges(page: Page): { count: number } {
  const seen = { count: 0 };
  page.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/openid-connect/token')) seen.count++;
  });
  return seen;
}

async function shortTokens(seconds: number): Promise<void> {
  const before = await people.setTokenLifespan(seconds);
  onTestFinished(async () => {
    await people.setTokenLifespan(before);
  });
}

test('keeps a page signed in when its token runs out, in all tabs, with one exchange for all of them', async () => {
  await shortTokens(6);
  const page = await enter('/dashboard', await people.enterPerson('lasting'));
  const exchanges = countExchanges(page);
  const tab = await page.context().newPage();
  await open(tab, '/games');
  for (let renewals = 1; renewals <= 3; renewals++) {
    const token = await tokenOf(page);
    await expect.poll(() => tokenOf(tab), { timeout: 20_000, interval: 100 }).not.toBe(token);
    expect(await tokenOf(page)).toBe(await tokenOf(tab));
  }
  // One exchange a token; the second tab's own refresh token, where it needed one, is the one more.
  expect(exchanges.count).toBeLessThanOrEqual(4);
  for (const one of [page, tab]) {
    expect(await one.getByRole('button', { name: 'Logout' }).count()).toBe(1);
    expect(await one.getByRole('dialog').count()).toBe(0);
  }
});

test('renews once for all calls of a page that was left until its token had run out', async () => {
  await shortTokens(4);
  const page = await enter('/login', await people.enterPerson('returning'), async (fresh) => {
    // Hidden tabs do not renew by themselves.
    await fresh.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  });
  await page.getByRole('link', { name: 'Games', exact: true }).click();
  const stale = await tokenOf(page);
  await expect.poll(() => statusFor(stale), { timeout: 20_000, interval: 250 }).toBe(401);
  expect(await tokenOf(page)).toBe(stale);
  const exchanges = countExchanges(page);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url());
  });
  await page.getByRole('link', { name: 'Submission', exact: true }).click();
  await page.getByText('No submissions yet').waitFor();
  expect(refused.length).toBeGreaterThan(0);
  expect(exchanges.count).toBe(1);
  expect(await tokenOf(page)).not.toBe(stale);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('ends everywhere with a sign-out: both tabs, the token, and the session at Keycloak', async () => {
  const person = await people.enterPerson('leaving');
  const page = await enter('/dashboard', person);
  const tab = await page.context().newPage();
  await open(tab, '/submission');
  const token = await tokenOf(page);
  expect(await people.sessionsOf(person)).toHaveLength(1);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect.poll(() => tab.getByRole('button', { name: 'Logout' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
  await expect.poll(() => people.sessionsOf(person)).toEqual([]);
  await expect.poll(() => statusFor(token)).toBe(401);
  // Keycloak's cookie is of no use any more, here and in the other tab.
  await open(tab, '/login');
  await tab.getByRole('button', { name: button }).click();
  await signInAtKeycloak(tab, person);
  await tab.getByRole('button', { name: 'Logout' }).waitFor();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
});

test('a session that an administrator ends asks over the open page, and goes on from another tab', async () => {
  const person = await people.enterPerson('ended');
  const page = await enter('/profile', person);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('About').fill('A long text that took an hour to write.');
  const token = await tokenOf(page);
  await people.endSessions(person);
  await expect.poll(() => statusFor(token)).toBe(401);
  const dialog = page.getByRole('dialog', { name: dialogName });
  await page.getByRole('button', { name: /Save/ }).click();
  await dialog.waitFor();
  expect(await violations(page)).toEqual([]);
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: button }).click();
  const tab = await opened;
  await signInAtKeycloak(tab, person);
  await expect.poll(() => dialog.count(), { timeout: 20_000 }).toBe(0);
  await page.getByRole('button', { name: /Save/ }).click();
  await page.getByText('A long text that took an hour to write.', { exact: true }).and(page.locator('dd')).waitFor();
});

test('a role given and taken in Keycloak shows without a new sign-in', async () => {
  const person = await people.enterPerson('promoted');
  const page = await enter('/dashboard', person);
  const link = page.getByRole('link', { name: 'Admin', exact: true });
  const shown = async () => {
    await lookAt(page);
    return link.count();
  };
  expect(await link.count()).toBe(0);
  await people.makeAdmin(person);
  await expect.poll(shown, { interval: 250 }).toBe(1);
  await link.click();
  await page.getByRole('heading', { name: /Admin/ }).first().waitFor();
  await people.dismissAdmin(person);
  await expect.poll(shown, { interval: 250 }).toBe(0);
  await page.getByText("You don't have admin privileges to access this page").waitFor();
});

test.each([
  ['disabled', people.disable],
  ['deleted', people.remove],
] as const)('somebody who is %s in Keycloak is signed out, and no form lets them in', async (what, act) => {
  const person = await people.enterPerson(`to-be-${what}`);
  const page = await enter('/dashboard', person);
  await act(person);
  const dialog = page.getByRole('dialog', { name: dialogName });
  await expect
    .poll(
      async () => {
        await lookAt(page);
        return dialog.count();
      },
      { interval: 250 },
    )
    .toBe(1);
  await dialog.getByLabel('Password').fill(person.password);
  await dialog.getByRole('button', { name: 'Login' }).click();
  await dialog.getByText('Invalid credentials').waitFor();
  await dialog.getByRole('button', { name: 'Stay signed out' }).click();
  await page.waitForURL('**/login');
});
