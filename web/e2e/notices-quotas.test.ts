import { expect, inject, test } from 'vitest';
import { open, pageErrors, visit } from './visitor.ts';
import type { World } from './world.ts';

const world: World = inject('world');
const { admin, verified } = world;
const { origin } = inject('platform');

async function api(path: string, token: string, body?: object) {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(`${origin}${path}`, init);
  expect(response.status, path).toBe(200);
  return response.json();
}

test('notices are switched off and on again on the account page, and a reload keeps the setting', async () => {
  const page = await visit('/account', { account: verified });
  const choice = () => page.getByLabel('A match or batch of mine has ended');
  expect(await choice().isChecked()).toBe(true);
  await choice().click();
  await page.getByText('You will not get these e-mails any more.').waitFor();
  await open(page, '/account');
  await expect.poll(() => choice().isChecked()).toBe(false);
  expect(await page.getByLabel('My bot was disabled in a match').isChecked()).toBe(true);
  await choice().click();
  await page.getByText('You will get these e-mails.').waitFor();
  expect(await choice().isChecked()).toBe(true);
  expect(pageErrors).toEqual([]);
});

test("one user's quota is set in its dialog; a newer change of another admin is not overwritten", async () => {
  const path = `/admin/quota/${verified.username}`;
  const page = await visit('/admin', { account: admin });
  await page.getByLabel('Search users').fill(verified.username);
  const openDialog = () => page.getByRole('button', { name: `QUOTA… of ${verified.username}`, exact: true }).click();
  await openDialog();
  const dialog = page.getByRole('dialog');
  const kept = dialog.getByLabel('Submissions kept');
  await kept.waitFor();
  expect(await kept.getAttribute('placeholder')).toBe('5');
  await kept.fill('7');
  await dialog.getByRole('button', { name: 'Save quota' }).click();
  await page.getByText(`Quota of ${verified.username} saved.`).waitFor();
  expect(await api(path, admin.token)).toMatchObject({ own: { max_submissions: 7, max_test_runs: null } });

  await openDialog();
  await expect.poll(() => kept.inputValue()).toBe('7');
  await api(path, admin.token, { max_submissions: 9 });
  await kept.fill('8');
  await dialog.getByRole('button', { name: 'Save quota' }).click();
  await dialog.getByText('Somebody else has changed this quota since you opened it. Reload it first.').waitFor();
  expect(await kept.inputValue()).toBe('8');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await api(path, admin.token, {});
});

test('quotas for all users are saved with the event settings, and the audit log shows the actor', async () => {
  const page = await visit('/admin', { account: admin });
  const uploads = page.getByLabel('Uploads within 24 hours');
  await uploads.fill('90');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved.').waitFor();
  expect(await api('/admin/settings', admin.token)).toMatchObject({ max_uploads_a_day: 90, max_submissions: 5 });
  await api('/admin/settings', admin.token, { max_uploads_a_day: 100 });

  await open(page, '/admin/audit');
  await page.getByLabel('Action').fill('user.quota_changed');
  const row = page.getByRole('row').filter({ hasText: 'user.quota_changed' }).first();
  await row.waitFor();
  await expect.poll(() => row.textContent()).toContain(admin.username);
  await expect.poll(() => row.textContent()).toContain(verified.username);
});

test('the opt-out page works without a script, and shows an error for an invalid link', async () => {
  const page = await visit(null);
  const response = await page.goto(`${origin}/opt-out/no-such-link`);
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
});
