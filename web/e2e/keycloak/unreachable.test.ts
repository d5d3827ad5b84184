// Keycloak is unreachable for the browser or for the platform.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { violations } from '../axe.ts';
import { open, visit } from '../visitor.ts';
import * as people from './people.ts';
import { button, logInByForm, openSignedIn, statusFor, tokenOf } from './steps.ts';

const { origin, dataDir } = inject('platform');
const keycloak = inject('keycloak');

const unreachableText = 'Single sign-on cannot be reached at the moment. Please try again in a minute.';

function signalKeycloak(signal: NodeJS.Signals): void {
  const processes = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as { keycloak: { pid: number } };
  process.kill(processes.keycloak.pid, signal);
}

test('if the browser cannot reach Keycloak, an error is shown and the form still works', async () => {
  const person = await people.createPerson('patient');
  const page = await visit(null);
  await page.context().route(`${keycloak.url}/**`, (route) => route.abort());
  await page.goto('/login');
  await page.getByRole('alert').getByText(unreachableText).waitFor();
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('alert').getByText(unreachableText).waitFor();
  expect(await violations(page)).toEqual([]);
  await logInByForm(page, person);
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  // The logout does not redirect to the unreachable Keycloak.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
  expect(new URL(page.url()).origin).toBe(origin);
});

test('while Keycloak hangs, users stay signed in and a form shows an error; afterwards everything works', async () => {
  const person = await people.createPerson('waiting');
  const page = await openSignedIn('/dashboard', person);
  const form = await visit('/login');
  signalKeycloak('SIGSTOP');
  onTestFinished(() => signalKeycloak('SIGCONT'));
  await logInByForm(form, person);
  await form.getByText('Sign-in is not available right now: the identity service does not answer').waitFor();
  const refused = page.waitForResponse((response) => response.status() === 503);
  await page.getByRole('link', { name: 'Submission', exact: true }).click();
  await refused;
  expect(await page.getByRole('button', { name: 'Logout' }).count()).toBe(1);
  expect(await page.getByRole('dialog').count()).toBe(0);

  signalKeycloak('SIGCONT');
  const token = await tokenOf(page);
  await expect.poll(() => statusFor(token), { timeout: 20_000 }).toBe(200);
  await open(page, '/submission');
  await page.getByText('No submissions yet').waitFor();
  await form.getByRole('button', { name: 'Login', exact: true }).click();
  await form.getByRole('button', { name: 'Logout' }).waitFor();
});
