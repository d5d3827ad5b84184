import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { open, pathOf, phone, visibleText, visit, waitUntilLoaded } from './visitor.ts';
import { type Account, password, registerVerified } from './world.ts';

const { origin } = inject('platform');
const { admin, verified } = inject('world');
const api = new Api(origin);

/** Registers an admin whose sessions no other test uses. */
async function registerAdmin(username: string): Promise<Account> {
  const account = await registerVerified(api, admin, username);
  await api.as(admin.token).post(`/admin/toggle-admin/${username}`);
  const { token = '' } = await api.signIn({ username, password });
  return { ...account, token };
}

/** Opens a page of an admin whose session then ends elsewhere, and waits for the dialog that says so. */
async function openEndedSession(username: string): Promise<Page> {
  const account = await registerAdmin(username);
  const page = await visit('/admin', { account });
  await api.as(account.token).post('/auth/logout', { token: account.token });
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      return page.getByRole('dialog', { name: 'Your session has ended' }).count();
    })
    .toBe(1);
  return page;
}

async function logIn(page: Page, { username }: Account): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await waitUntilLoaded(page);
}

async function expectDashboard(page: Page): Promise<void> {
  await page.getByText(`Welcome, ${verified.username}`).waitFor();
  expect(pathOf(page)).toBe('/dashboard');
  expect(await visibleText(page.getByRole('main'))).not.toContain('Access Denied');
}

test('a logout does not save the open page, in any tab: the next user gets to the dashboard', async () => {
  const page = await visit('/admin', { account: await registerAdmin(`leaver-${process.pid}`) });
  const tab = await page.context().newPage();
  await tab.goto('/admin/games');
  await waitUntilLoaded(tab);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login' }).waitFor();
  expect(pathOf(page)).toBe('/');
  await tab.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('husky.return-place'))).toBeNull();
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByLabel('Username').fill(verified.username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expectDashboard(page);
  await expectDashboard(tab);
});

test('on a phone: after a logout by the menu the next user gets to the dashboard', async () => {
  const page = await visit('/simulation', { account: await registerAdmin(`phone-leaver-${process.pid}`), size: phone });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await logIn(page, verified);
  await expectDashboard(page);
});

test('a user who stays signed out after the session ended leaves no saved page for the next one', async () => {
  const page = await openEndedSession(`expired-${process.pid}`);
  await page.getByRole('button', { name: 'Stay signed out' }).click();
  await page.waitForURL('**/login');
  await logIn(page, verified);
  await expectDashboard(page);
});

test('a page of an ended session is not kept for another user who signs in in another tab', async () => {
  const page = await openEndedSession(`handed-${process.pid}`);
  const tab = await page.context().newPage();
  await logIn(tab, verified);
  await expectDashboard(tab);
  await expectDashboard(page);
});

test('a page requested before the login is opened after it', async () => {
  const page = await visit('/directory?q=ada');
  await page.waitForURL('**/login');
  await page.getByLabel('Username').fill(verified.username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/directory?q=ada');
});

test('with own accounts, nothing of Keycloak is fetched, shown or stored', async () => {
  const page = await visit(null);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  for (const path of ['/', '/login', '/register']) await open(page, path);
  expect(await page.getByRole('button', { name: /single sign-on/i }).count()).toBe(0);
  await open(page, '/login');
  await page.getByLabel('Username').fill(verified.username);
  await page.getByLabel('Password').fill(verified.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
  await waitUntilLoaded(page);
  await page.reload();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
  expect(requests.filter((url) => /keycloak|silent-check|openid/.test(url))).toEqual([]);
  expect(await page.locator('iframe').count()).toBe(0);
  const storedKeys = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }));
  expect(storedKeys.filter((key) => /keycloak|kc-/.test(key))).toEqual([]);
});
