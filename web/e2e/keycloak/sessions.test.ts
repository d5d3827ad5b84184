// Sessions of single sign-on: renewal, end, and changes by an administrator of Keycloak.
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { violations } from '../axe.ts';
import { open } from '../visitor.ts';
import * as people from './people.ts';
import { button, dialogName, focusPage, openSignedIn, signInAtKeycloak, statusFor, tokenOf } from './steps.ts';

/** Starts counting the browser's token requests to Keycloak. */
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

test('renews an expiring token for all tabs with one exchange', async () => {
  await shortTokens(6);
  const page = await openSignedIn('/dashboard', await people.createPerson('lasting'));
  const exchanges = countExchanges(page);
  const tab = await page.context().newPage();
  await open(tab, '/games');
  for (let renewals = 1; renewals <= 3; renewals++) {
    const token = await tokenOf(page);
    await expect.poll(() => tokenOf(tab), { timeout: 20_000, interval: 100 }).not.toBe(token);
    expect(await tokenOf(page)).toBe(await tokenOf(tab));
  }
  // One exchange per token, and at most one more for the second tab's own refresh token.
  expect(exchanges.count).toBeLessThanOrEqual(4);
  for (const one of [page, tab]) {
    expect(await one.getByRole('button', { name: 'Logout' }).count()).toBe(1);
    expect(await one.getByRole('dialog').count()).toBe(0);
  }
});

test('renews an expired token once for all calls of a page', async () => {
  await shortTokens(4);
  const page = await openSignedIn('/login', await people.createPerson('returning'), async (fresh) => {
    // Hidden tabs do not renew automatically.
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

test('a sign-out ends the session in both tabs and at Keycloak, and revokes the token', async () => {
  const person = await people.createPerson('leaving');
  const page = await openSignedIn('/dashboard', person);
  const tab = await page.context().newPage();
  await open(tab, '/submission');
  const token = await tokenOf(page);
  expect(await people.sessionsOf(person)).toHaveLength(1);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect.poll(() => tab.getByRole('button', { name: 'Logout' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
  await expect.poll(() => people.sessionsOf(person)).toEqual([]);
  await expect.poll(() => statusFor(token)).toBe(401);
  // Keycloak's cookie is no longer valid: the other tab must enter the password.
  await open(tab, '/login');
  await tab.getByRole('button', { name: button }).click();
  await signInAtKeycloak(tab, person);
  await tab.getByRole('button', { name: 'Logout' }).waitFor();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
});

test('a session ended by an administrator shows a dialog over the open page and continues after a sign-in in another tab', async () => {
  const person = await people.createPerson('ended');
  const page = await openSignedIn('/profile', person);
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

test('a role granted and revoked in Keycloak shows without a new sign-in', async () => {
  const person = await people.createPerson('promoted');
  const page = await openSignedIn('/dashboard', person);
  const link = page.getByRole('link', { name: 'Admin', exact: true });
  const shown = async () => {
    await focusPage(page);
    return link.count();
  };
  expect(await link.count()).toBe(0);
  await people.makeAdmin(person);
  await expect.poll(shown, { interval: 250 }).toBe(1);
  await link.click();
  await page.getByRole('heading', { name: /Admin/ }).first().waitFor();
  await people.revokeAdmin(person);
  await expect.poll(shown, { interval: 250 }).toBe(0);
  await page.getByText("You don't have admin privileges to access this page").waitFor();
});

test.each([
  ['disabled', people.disable],
  ['deleted', people.remove],
] as const)('a user who is %s in Keycloak is signed out and cannot sign in by the form', async (what, act) => {
  const person = await people.createPerson(`to-be-${what}`);
  const page = await openSignedIn('/dashboard', person);
  await act(person);
  const dialog = page.getByRole('dialog', { name: dialogName });
  await expect
    .poll(
      async () => {
        await focusPage(page);
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
