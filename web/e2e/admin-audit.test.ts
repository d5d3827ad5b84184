import { expect, inject, test } from 'vitest';
import { actionsOn, api, asAdmin, expectText, freshName, press, savedText } from './admin-steps.ts';
import { pageErrors, visit } from './visitor.ts';
import { password, registerVerified, type World } from './world.ts';

const world: World = inject('world');
const { admin } = world;

test('the audit log shows actor, action, subject, before and after; it is searchable, and an export has the filtered records', async () => {
  const name = freshName('watched');
  await registerVerified(api, admin, name);
  await asAdmin.post(`/admin/toggle-admin/${name}`, { admin: true });
  await asAdmin.post(`/admin/toggle-admin/${name}`, { admin: false });
  await api.post('/auth/login', { username: name, password: 'not the password' }).catch(() => undefined);
  await api.post('/auth/login', { username: name, password });
  await expect.poll(() => actionsOn(name)).toHaveLength(6);
  const page = await visit('/admin/audit', { account: admin });
  const panel = page.getByRole('region', { name: 'RECORDS' });
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  await page.getByLabel('Target').fill(name);
  await expect.poll(() => rows.count()).toBe(6);
  const actions = async () => rows.locator('td:nth-child(3)').allInnerTexts();
  expect((await actions()).map((text) => text.trim())).toEqual([
    'user.signed_in',
    'user.sign_in_failed',
    'user.role_changed',
    'user.role_changed',
    'user.verification_changed',
    'user.registered',
  ]);
  const granted = rows.nth(3);
  await expectText(
    granted,
    new RegExp(`${admin.username}[\\s\\S]*user\\.role_changed[\\s\\S]*${name}[\\s\\S]*false[\\s\\S]*true`),
  );
  await page.getByLabel('Who').fill(admin.username);
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByLabel('Action').fill('user.role_changed');
  await expect.poll(() => rows.count()).toBe(2);

  for (const [button, type] of [
    ['Export CSV', 'csv'],
    ['Export JSON lines', 'jsonl'],
  ] as const) {
    const download = page.waitForEvent('download');
    await press(page, button);
    const file = await download;
    expect(file.suggestedFilename()).toBe(`audit.${type}`);
    const lines = (await savedText(file)).trim().split('\n');
    expect(lines, type).toHaveLength(type === 'csv' ? 3 : 2);
    if (type === 'jsonl')
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ action: 'user.role_changed', subject: name }),
        expect.objectContaining({ action: 'user.role_changed', subject: name }),
      ]);
  }
  await page.getByLabel('Action').fill('');
  await page.getByLabel('Who').fill('');
  await page.getByLabel('Target').fill('');
  await page.getByLabel('Search').fill(`role_changed ${name}`);
  await expect.poll(() => rows.count()).toBe(2);
  for (const nothing of ['%', "'; --", 'no record says this']) {
    await page.getByLabel('Search').fill(nothing);
    await expectText(panel, 'No records found');
  }
  await page.getByLabel('Search').fill('');
  await page.getByLabel('From').fill('2099-01-01T00:00');
  await expectText(panel, 'No records found');
  await page.getByLabel('From').fill('2001-01-01T00:00');
  await page.getByLabel('To').fill('2001-01-02T00:00');
  await expectText(panel, 'No records found');
  await page.getByLabel('To').fill('');
  await expectText(panel, /1-50 of \d+ records/);
  await press(page.getByRole('navigation', { name: 'Pages of records' }), 'Next');
  await expectText(panel, /51-\d+ of \d+ records/);
  expect(pageErrors).toEqual([]);
});
