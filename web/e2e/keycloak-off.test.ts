import { expect, inject, test } from 'vitest';
import { open, visit, waitUntilLoaded } from './visitor.ts';

const { verified } = inject('world');

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
