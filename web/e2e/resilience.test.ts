import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { open, visit, waitUntilLoaded } from './visitor.ts';
import { password, registerVerified, type World } from './world.ts';

const world: World = inject('world');
const { dataDir, origin } = inject('platform');
const api = new Api(origin);
const strip = 'The server cannot be reached. What you typed is kept, and this page reconnects automatically.';

/** Kills the gateway's process; `make up` restarts it. */
function killGateway(): void {
  const register = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<string, { pid: number }>;
  const pid = register.gateway?.pid;
  if (pid === undefined) throw new Error(`no gateway among ${Object.keys(register).join(', ')}`);
  process.kill(pid, 'SIGKILL');
}

test('offline: shows the error texts, and a strip until the connection is back', async () => {
  const page = await visit('/login');
  await open(page, '/register');
  await open(page, '/login');
  const context = page.context();
  await page.getByLabel('Username').fill('someone');
  await page.getByLabel('Password').fill(password);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('alert').getByText('An unexpected error occurred.').waitFor();
  await page.getByText(strip).waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('someone');
  await context.setOffline(false);
  await expect.poll(() => page.getByText(strip).count(), { timeout: 15_000 }).toBe(0);

  await open(page, '/register');
  await context.setOffline(true);
  await page.getByLabel('Username').fill('someone');
  await page.getByLabel('Email').fill('someone@test.invalid');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('alert').getByText('An unexpected error occurred. Please try again.').waitFor();
});

test('offline: a page whose code cannot be loaded shows an error and offers a reload', async () => {
  const page = await visit('/');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Games', exact: true }).click();
  // After the retries of 0.5 s and 2 s.
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).click();
  await waitUntilLoaded(page);
});

test('a session that ends while a form is open shows a dialog for the password, and the input is kept', async () => {
  const account = await registerVerified(api, world.admin, `leaver-${process.pid}`);
  const page = await visit('/profile', { account });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('About').fill('A long text that took an hour to write.');
  await api.as(account.token).post('/auth/logout', { token: account.token });
  await page.getByRole('button', { name: /Save/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Login' }).click();
  await dialog.getByText('Invalid credentials').waitFor();
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Login' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await page.getByLabel('About').inputValue()).toBe('A long text that took an hour to write.');
  await page.getByRole('button', { name: /Save/ }).click();
  await expect.poll(() => page.getByLabel('About').count()).toBe(0);
  await page.reload();
  await page.getByText('A long text that took an hour to write.').waitFor();
});

test('a logout signs out the other tabs, and calls no longer send the token', async () => {
  const account = await registerVerified(api, world.admin, `two-tabs-${process.pid}`);
  const page = await visit('/dashboard', { account });
  const other = await page.context().newPage();
  await open(other, '/submission');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login' }).waitFor();
  await expect.poll(() => other.getByRole('button', { name: 'Logout' }).count()).toBe(0);
  const next = page.waitForRequest('**/live/public-job-ids/paginated*');
  await page.getByRole('link', { name: 'Games', exact: true }).click();
  expect((await next).headers().authorization).toBeUndefined();
});

test('a gateway that is killed and restarted signs nobody out; the input is kept and can be saved afterwards', async () => {
  const account = await registerVerified(api, world.admin, `patient-${process.pid}`);
  const page = await visit('/profile', { account });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('About').fill('Typed before the server went away.');
  // Saves at once, before the supervisor has restarted the gateway.
  killGateway();
  await page.getByRole('button', { name: /Save/ }).click();
  await page.getByText(strip).waitFor();
  await page.getByRole('alert').first().waitFor();
  expect(await page.getByLabel('About').inputValue()).toBe('Typed before the server went away.');
  const reloaded = await visit(null, { account });
  await reloaded.goto('/dashboard').catch(() => undefined);
  await expect.poll(() => page.getByText(strip).count(), { timeout: 30_000 }).toBe(0);
  expect(await page.getByLabel('About').inputValue()).toBe('Typed before the server went away.');
  await page.getByRole('button', { name: /Save/ }).click();
  await page.getByText('Typed before the server went away.', { exact: true }).and(page.locator('dd')).waitFor();
  expect(await page.getByRole('button', { name: 'Logout' }).count()).toBe(1);
});
