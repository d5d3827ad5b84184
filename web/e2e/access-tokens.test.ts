// Access tokens on the account page, the kit's page, and the page Debug a bot.
import { expect, inject, test } from 'vitest';
import { copiedText } from './admin-steps.ts';
import { violations } from './axe.ts';
import { horizontalOverflow, open, pageErrors, phone, visibleText, visit } from './visitor.ts';

const { verified } = inject('world');
const { origin } = inject('platform');

const whoami = (secret: string) =>
  fetch(`${origin}/auth/whoami`, { headers: { authorization: `Bearer ${secret}`, accept: 'application/json' } });

test('makes a token, shows its secret once, and revokes it after a confirmation', { timeout: 240_000 }, async () => {
  const page = await visit('/account', { account: verified });
  const section = page.getByRole('region', { name: 'Access tokens' });
  const name = `laptop ${process.pid}`;
  await section.getByLabel('Name of the token').fill(name);
  await section.getByLabel('Expires after').selectOption('90');
  await section.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your new access token' });
  await dialog.getByRole('button', { name: 'Copy token' }).click();
  const secret = await copiedText(page, /^husky_[\w-]{43}$/);
  expect(await visibleText(dialog)).toContain(`husky login --site ${origin}`);
  expect(await violations(page)).toEqual([]);
  const bearer = await whoami(secret);
  expect([bearer.status, ((await bearer.json()) as { username: string }).username]).toEqual([200, verified.username]);

  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await open(page, '/account');
  const row = section.getByRole('row', { name });
  await row.waitFor();
  expect(await page.content()).not.toContain(secret);
  await row.getByRole('button', { name: `Revoke the token ${name}` }).click();
  await page.getByRole('dialog', { name: 'Revoke access token' }).getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'hidden' });
  expect((await whoami(secret)).status).toBe(401);
  expect(pageErrors).toEqual([]);
});

test('the section, the kit and the page Debug a bot fit a phone and have no axe violation', {
  timeout: 180_000,
}, async () => {
  const page = await visit('/account', { account: verified, size: phone });
  await page.getByRole('region', { name: 'Access tokens' }).getByRole('button', { name: 'Create token' }).click();
  await page.getByText('Please give the token a name').waitFor();
  for (const path of ['', '/kit', '/bots/debug']) {
    if (path !== '') await open(page, path);
    expect(await violations(page), path).toEqual([]);
    await expect.poll(() => horizontalOverflow(page), { message: path }).toBe(0);
  }
  expect(pageErrors).toEqual([]);
});

test('the kit page copies the command that installs the wheel of this site', async () => {
  const page = await visit('/kit');
  await page.getByRole('button', { name: 'Copy command for pip' }).click();
  const command = await copiedText(page, /^pip install http/);
  const wheel = await fetch(command.replace('pip install ', ''));
  expect([wheel.status, (await wheel.arrayBuffer()).byteLength > 10_000]).toEqual([200, true]);
});
