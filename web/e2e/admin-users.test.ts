import { beforeAll, expect, inject, test } from 'vitest';
import {
  actionsOn,
  api,
  asAdmin,
  expectDialog,
  expectText,
  expectToast,
  freshName,
  loadedCount,
  press,
  rowOf,
} from './admin-steps.ts';
import { open, pageErrors, pathOf, visit } from './visitor.ts';
import { registerAccount, type World } from './world.ts';

const world: World = inject('world');
const { admin } = world;
const table = 'User management';
const stem = `crowd${process.pid}`;

beforeAll(async () => {
  const names = Array.from({ length: 24 }, (_, index) => `${stem}-${String(index).padStart(2, '0')}`);
  for (const name of names) await registerAccount(api, name);
});

test('users are found by name and role, page by page; a search starts at the first page', async () => {
  const page = await visit('/admin', { account: admin });
  const panel = page.getByRole('region', { name: 'USER MANAGEMENT MATRIX' });
  const pages = page.getByRole('navigation', { name: 'Pages of users' });
  await expectText(panel, /1-25 of \d+ users/);
  await press(pages, 'Next');
  await expectText(panel, /26-\d+ of \d+ users/);
  const search = panel.getByLabel('Search users');
  await search.fill(`${stem.toUpperCase()}-`);
  await expectText(panel, '1-24 of 24 users');
  expect(await pages.count()).toBe(0);
  await search.fill(`${stem}-07`);
  await expectText(panel, '1-1 of 1 users');
  await expectText(rowOf(page, table, `${stem}-07@test.invalid`), 'UNVERIFIED');
  await panel.getByLabel('Show').selectOption('Verified');
  await expectText(panel, 'No users found');
  await panel.getByLabel('Show').selectOption('Unverified');
  await expectText(panel, '1-1 of 1 users');
  for (const text of ['%', "'; DROP TABLE users; --", 'x'.repeat(100)]) {
    await search.fill(text);
    await expectText(panel, 'No users found');
  }
  await search.fill('');
  await panel.getByLabel('Show').selectOption('Admins');
  const self = rowOf(page, table, `${admin.username}@`)
    .or(rowOf(page, table, '(You)'))
    .first();
  await expectText(self, `${admin.username} (You)`);
  expect(await self.getByRole('button').count(), 'no actions on oneself').toBe(0);
  await self.getByRole('link', { name: 'VIEW' }).click();
  await page.waitForURL('**/profile');
  expect(pageErrors).toEqual([]);
});

test('verify, grant, revoke, unverify: confirmed, reported by a toast, and effective for the user at once', async () => {
  const name = freshName('ward');
  const account = await registerAccount(api, name);
  const userPage = await visit('/admin', { account });
  await userPage.waitForURL('**/verify-account');
  const page = await visit('/admin', { account: admin });
  const verified = page.locator('.stat').filter({ hasText: 'Verified Users' });
  const count = await loadedCount(verified.locator('dd'));
  await page.getByLabel('Search users').fill(name);
  const row = rowOf(page, table, name);
  await press(row, `VERIFY ${name}`);
  await expectToast(page, `${name} is now verified.`);
  await expectText(row, /\bVERIFIED\b/);
  await expectText(verified, String(count + 1));
  await open(userPage, '/admin');
  await userPage.getByText("You don't have admin privileges to access this page").waitFor();

  await press(row, `GRANT ADMIN for ${name}`);
  const grant = await expectDialog(page, `Grant admin to ${name}? They can then do everything that you can`);
  await press(grant, 'Cancel');
  await expect.poll(() => grant.count()).toBe(0);
  expect(await actionsOn(name)).not.toContain('user.role_changed');
  await press(row, `GRANT ADMIN for ${name}`);
  await press(await expectDialog(page, 'Grant admin'), 'Grant admin');
  await expectToast(page, `${name} is now an admin.`);
  await expectText(row, /ADMIN/);
  await open(userPage, '/admin');
  await userPage.getByRole('heading', { name: 'USER MANAGEMENT MATRIX' }).waitFor();

  await press(row, `REVOKE ADMIN for ${name}`);
  await press(
    await expectDialog(page, `Revoke admin for ${name}? They lose access to the admin pages immediately.`),
    'Revoke admin',
  );
  await expectToast(page, `${name} is no longer an admin.`);
  await userPage.getByLabel('Search users').fill('somebody');
  await userPage.getByText('Access Denied').waitFor();
  expect(pathOf(userPage)).toBe('/admin');

  await press(row, `UNVERIFY ${name}`);
  await press(await expectDialog(page, `Unverify ${name}? They lose access to uploads`), 'Unverify');
  await expectToast(page, `${name} is no longer verified.`);
  await expectText(row, 'UNVERIFIED');
  await open(userPage, '/dashboard');
  await userPage.waitForURL('**/verify-account');
  expect(pageErrors).toEqual([]);
});

test('a deletion can be cancelled with Escape; once confirmed, the user is deleted everywhere', async () => {
  const name = freshName('leaver');
  const account = await registerAccount(api, name);
  await asAdmin.post('/leaderboard/add', { score: 7, tag: name, username: name });
  const page = await visit('/admin', { account: admin });
  const total = page.locator('.stat').filter({ hasText: 'Total Users' }).locator('dd');
  const count = await loadedCount(total);
  await page.getByLabel('Search users').fill(name);
  const row = rowOf(page, table, name);
  await press(row, `DELETE ${name}`);
  const dialog = await expectDialog(
    page,
    `Are you sure you want to delete ${name}? This is permanent and cannot be undone`,
  );
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await row.count()).toBe(1);
  await press(row, `DELETE ${name}`);
  await press(await expectDialog(page, 'This is permanent'), 'Delete user');
  await expectToast(page, `${name} deleted.`);
  await expectText(page.getByRole('region', { name: 'USER MANAGEMENT MATRIX' }), 'No users found');
  await expectText(total, (count - 1).toLocaleString('en-US'));
  await open(page, `/profile/${name}`);
  await page.getByText('User not found').waitFor();
  await expect.poll(() => api.get(`/leaderboard/top/5?tag=${name}`)).toMatchObject({ top_entries: [] });
  const userPage = await visit('/submission', { account });
  await userPage.waitForURL('**/login');
});
