// Sign-in and sign-out at Keycloak, and by the forms beside it.
import { expect, inject, test } from 'vitest';
import { violations } from '../axe.ts';
import { desktop, horizontalOverflow, open, pageErrors, pathOf, phone, registerOn, visit } from '../visitor.ts';
import * as people from './people.ts';
import { button, focusPage, logInByForm, openSignedIn, signInAtKeycloak } from './steps.ts';

const { origin } = inject('platform');

test('a protected page redirects to Keycloak and is opened after the sign-in', async () => {
  const person = await people.createPerson('sso');
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
  expect(pageErrors).toEqual([]);
});

test('a browser with a session at Keycloak is signed in without a click', async () => {
  const person = await people.createPerson('silent');
  const first = await openSignedIn('/dashboard', person);
  await first.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  const page = await first.context().newPage();
  await first.close();
  await page.goto('/submission?silent');
  await page.getByText('No submissions yet').waitFor();
  expect(pathOf(page)).toBe('/submission?silent');
  expect(pageErrors).toEqual([]);
});

test('a user registered by the form has the same account with single sign-on', async () => {
  const username = `both-${process.pid}`;
  const page = await visit('/register');
  await registerOn(page, username);
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
        await focusPage(page);
        return pathOf(page);
      },
      { timeout: 15_000 },
    )
    .toBe('/submission');
});

test('a user who signed out stays signed out despite a session at Keycloak, until a click on single sign-on', async () => {
  const [guest, owner] = [await people.createPerson('guest'), await people.createPerson('owner')];
  const page = await openSignedIn('/dashboard', owner);
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

test('a redirect result without a matching request is refused with an error', async () => {
  const page = await visit('/login#state=00000000-0000-4000-8000-000000000000&code=stolen');
  await page.getByRole('alert').getByText('Single sign-on did not complete. Please try again.').waitFor();
  await page.getByLabel('Username').waitFor();
});

test.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)(
  'the sign-in pages on a %s have no axe violations and do not scroll horizontally',
  async (_device, size) => {
    const page = await visit(null, { size });
    for (const path of ['/login', '/register', '/forgot-password']) {
      await open(page, path);
      if (path !== '/forgot-password') await page.getByRole('button', { name: button }).waitFor();
      expect(await violations(page)).toEqual([]);
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
    }
  },
);
