// Signing in and out by Keycloak, and by the forms beside it.
import { expect, inject, test } from 'vitest';
import { violations } from '../axe.ts';
import { complaints, desktop, open, pathOf, phone, sideways, visit } from '../visitor.ts';
import { password } from '../world.ts';
import * as people from './people.ts';
import { button, enter, logInByForm, lookAt, signInAtKeycloak } from './steps.ts';

const { origin } = inject('platform');

test('leads from a protected page to Keycloak and back to it', async () => {
  const person = await people.enterPerson('sso');
  const page = await visit('/submission?from=sso#here');
  await page.waitForURL('**/login');
  await page.getByRole('button', { name: button }).click();
  await signInAtKeycloak(page, person);
  await page.waitForURL('**/submission?from=sso#here');
  await page.getByText('No submissions yet').waitFor();
  expect(await page.getByRole('navigation').getByText(person.username).count()).toBe(1);
  // Neither the code nor a token is left in an address or in the history.
  await page.goBack();
  await page.waitForURL(`${origin}/**`);
  await expect.poll(() => page.url()).not.toMatch(/code=|state=|token/);
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  expect(complaints).toEqual([]);
});

test('needs no press where the browser is signed in at Keycloak already', async () => {
  const person = await people.enterPerson('silent');
  const first = await enter('/dashboard', person);
  await first.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  const page = await first.context().newPage();
  await first.close();
  await page.goto('/submission?silent');
  await page.getByText('No submissions yet').waitFor();
  expect(pathOf(page)).toBe('/submission?silent');
  expect(complaints).toEqual([]);
});

test('who registers by the form comes in by single sign-on as the same account', async () => {
  const username = `both-${process.pid}`;
  const page = await visit('/register');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@test.invalid`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL('**/verify-account');
  const person = await people.findPerson(username);
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();

  await open(page, '/submission');
  await page.waitForURL('**/login');
  await page.getByRole('button', { name: button }).click();
  await signInAtKeycloak(page, person);
  await page.waitForURL('**/verify-account');
  await people.verifyAddress(person);
  await expect
    .poll(
      async () => {
        await lookAt(page);
        return pathOf(page);
      },
      { timeout: 15_000 },
    )
    .toBe('/submission');
});

test('who signed out by the form stays out though Keycloak knows a session, until they ask for it', async () => {
  const [guest, owner] = [await people.enterPerson('guest'), await people.enterPerson('owner')];
  const page = await enter('/dashboard', owner);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem('husky.signed-out', 'yes');
  });
  await open(page, '/login');
  await logInByForm(page, guest);
  await page.getByText(guest.username).first().waitFor();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
  await page.goto('/login', { waitUntil: 'networkidle' });
  expect(await page.getByRole('button', { name: 'Logout' }).count()).toBe(0);
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('navigation').getByText(owner.username).waitFor();
});

test('an answer that nobody asked for is refused with a sentence', async () => {
  const page = await visit('/login#state=00000000-0000-4000-8000-000000000000&code=stolen');
  await page.getByRole('alert').getByText('Single sign-on did not complete. Please try again.').waitFor();
  await page.getByLabel('Username').waitFor();
});

test.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('axe finds nothing on the sign-in pages on a %s, and none scrolls sideways', async (_device, size) => {
  const page = await visit(null, { size });
  for (const path of ['/login', '/register', '/forgot-password']) {
    await open(page, path);
    if (path !== '/forgot-password') await page.getByRole('button', { name: button }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
  }
});
