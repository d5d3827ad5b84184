import type { Page } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { violations } from './axe.ts';
import type { Person } from './keycloak-people.ts';
import * as people from './keycloak-people.ts';
import { complaints, desktop, open, pathOf, phone, sideways, visit } from './visitor.ts';
import { password } from './world.ts';

const { origin } = inject('platform');
// Not there in make test-web, whose platform keeps its own accounts.
const keycloak = inject('keycloak') as ReturnType<typeof inject<'keycloak'>> | undefined;

const button = 'Sign in with single sign-on';
const away = 'Single sign-on cannot be reached at the moment. Please try again in a minute.';
const dialogName = 'Your session has ended';

/** Fills Keycloak's own page, wherever a press has led to it. */
async function signInAtKeycloak(page: Page, person: Person): Promise<void> {
  await page.waitForURL(`${keycloak?.url}/**`);
  await page.locator('#username').fill(person.username);
  await page.locator('#password').fill(person.password);
  await page.locator('#kc-login').click();
  await page.waitForURL(`${origin}/**`).catch(async (error: unknown) => {
    throw new Error(`${page.url()} says: ${await page.locator('body').innerText()}`, { cause: error });
  });
}

/** A page at an address, signed in by Keycloak. */
async function enter(path: string, person: Person, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await visit(null);
  await prepare?.(page);
  await page.goto(path);
  await page.getByRole('button', { name: button }).click();
  await signInAtKeycloak(page, person);
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  return page;
}

async function logInByForm(page: Page, { username, password }: Pick<Person, 'username' | 'password'>): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');
const lookAt = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));
const statusFor = async (token: string) =>
  (await fetch(`${origin}/auth/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Counts the exchanges of a browser with Keycloak for tokens from now on. */
function countExchanges(page: Page): { count: number } {
  const seen = { count: 0 };
  page.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/openid-connect/token')) seen.count++;
  });
  return seen;
}

async function shortTokens(seconds: number): Promise<void> {
  const before = await people.setTokenLifespan(seconds);
  onTestFinished(async () => {
    await people.setTokenLifespan(before);
  });
}

describe.skipIf(!keycloak)('single sign-on (only with Keycloak: make test-keycloak)', () => {
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

  test('keeps a page signed in when its token runs out, in all tabs, with one exchange for all of them', async () => {
    await shortTokens(6);
    const page = await enter('/dashboard', await people.enterPerson('lasting'));
    const exchanges = countExchanges(page);
    const tab = await page.context().newPage();
    await open(tab, '/games');
    for (let renewals = 1; renewals <= 3; renewals++) {
      const token = await tokenOf(page);
      await expect.poll(() => tokenOf(tab), { timeout: 20_000, interval: 100 }).not.toBe(token);
      expect(await tokenOf(page)).toBe(await tokenOf(tab));
    }
    // One exchange a token; the second tab's own refresh token, where it needed one, is the one more.
    expect(exchanges.count).toBeLessThanOrEqual(4);
    for (const one of [page, tab]) {
      expect(await one.getByRole('button', { name: 'Logout' }).count()).toBe(1);
      expect(await one.getByRole('dialog').count()).toBe(0);
    }
  });

  test('renews once for all calls of a page that was left until its token had run out', async () => {
    await shortTokens(4);
    const page = await enter('/login', await people.enterPerson('returning'), async (fresh) => {
      // Hidden tabs do not renew by themselves.
      await fresh.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    });
    await page.getByRole('link', { name: 'Games', exact: true }).click();
    const stale = await tokenOf(page);
    await expect.poll(() => statusFor(stale), { timeout: 20_000, interval: 250 }).toBe(401);
    expect(await tokenOf(page)).toBe(stale);
    const exchanges = countExchanges(page);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    await page.getByRole('link', { name: 'Submission', exact: true }).click();
    await page.getByText('No submissions yet').waitFor();
    expect(refused.length).toBeGreaterThan(0);
    expect(exchanges.count).toBe(1);
    expect(await tokenOf(page)).not.toBe(stale);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('ends everywhere with a sign-out: both tabs, the token, and the session at Keycloak', async () => {
    const person = await people.enterPerson('leaving');
    const page = await enter('/dashboard', person);
    const tab = await page.context().newPage();
    await open(tab, '/submission');
    const token = await tokenOf(page);
    expect(await people.sessionsOf(person)).toHaveLength(1);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect.poll(() => tab.getByRole('button', { name: 'Logout' }).count(), { timeout: 5000 }).toBe(0);
    await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
    await expect.poll(() => people.sessionsOf(person), { timeout: 5000 }).toEqual([]);
    await expect.poll(() => statusFor(token), { timeout: 5000 }).toBe(401);
    // Keycloak's cookie is of no use any more, here and in the other tab.
    await open(tab, '/login');
    await tab.getByRole('button', { name: button }).click();
    await signInAtKeycloak(tab, person);
    await tab.getByRole('button', { name: 'Logout' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).waitFor();
  });

  test('a session that an administrator ends asks over the open page, and goes on from another tab', async () => {
    const person = await people.enterPerson('ended');
    const page = await enter('/profile', person);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('About').fill('A long text that took an hour to write.');
    const token = await tokenOf(page);
    await people.endSessions(person);
    await expect.poll(() => statusFor(token), { timeout: 5000 }).toBe(401);
    const dialog = page.getByRole('dialog', { name: dialogName });
    await page.getByRole('button', { name: /Save/ }).click();
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: button }).click();
    const tab = await opened;
    await signInAtKeycloak(tab, person);
    await expect.poll(() => dialog.count(), { timeout: 20_000 }).toBe(0);
    await page.getByRole('button', { name: /Save/ }).click();
    await page.getByText('A long text that took an hour to write.', { exact: true }).and(page.locator('dd')).waitFor();
  });

  test('a role given and taken in Keycloak shows without a new sign-in', async () => {
    const person = await people.enterPerson('promoted');
    const page = await enter('/dashboard', person);
    const link = page.getByRole('link', { name: 'Admin', exact: true });
    const shown = async () => {
      await lookAt(page);
      return link.count();
    };
    expect(await link.count()).toBe(0);
    await people.makeAdmin(person);
    await expect.poll(shown, { timeout: 5000, interval: 250 }).toBe(1);
    await link.click();
    await page.getByRole('heading', { name: /Admin/ }).first().waitFor();
    await people.dismissAdmin(person);
    await expect.poll(shown, { timeout: 5000, interval: 250 }).toBe(0);
    await page.getByText("You don't have admin privileges to access this page").waitFor();
  });

  test.each([
    ['disabled', people.disable],
    ['deleted', people.remove],
  ] as const)('somebody who is %s in Keycloak is out within 5 s, and no form lets them in', async (what, act) => {
    const person = await people.enterPerson(`to-be-${what}`);
    const page = await enter('/dashboard', person);
    await act(person);
    const dialog = page.getByRole('dialog', { name: dialogName });
    await expect
      .poll(
        async () => {
          await lookAt(page);
          return dialog.count();
        },
        { timeout: 5000, interval: 250 },
      )
      .toBe(1);
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByRole('button', { name: 'Login' }).click();
    await dialog.getByText('Invalid credentials').waitFor();
    await dialog.getByRole('button', { name: 'Stay signed out' }).click();
    await page.waitForURL('**/login');
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

  test('a Keycloak that the browser cannot reach is told in a sentence, and the form still works', async () => {
    const person = await people.enterPerson('patient');
    const page = await visit(null);
    await page.context().route(`${keycloak?.url}/**`, (route) => route.abort());
    await page.goto('/login');
    await page.getByRole('alert').getByText(away).waitFor();
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('alert').getByText(away).waitFor();
    expect(await violations(page)).toEqual([]);
    await logInByForm(page, person);
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    // Signing out does not lead to a page that is not there.
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
    expect(new URL(page.url()).origin).toBe(origin);
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
});
