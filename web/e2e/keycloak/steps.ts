// Steps in a browser with accounts in Keycloak.
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { visibleText, visit } from '../visitor.ts';
import type { Person } from './people.ts';

const { origin } = inject('platform');
const keycloak = inject('keycloak');

export const button = 'Sign in with single sign-on';
export const dialogName = 'Your session has ended';

/** Fills in Keycloak's login page and waits for the redirect back. */
export async function signInAtKeycloak(page: Page, person: Person): Promise<void> {
  await page.waitForURL(`${keycloak.url}/**`);
  await page.locator('#username').fill(person.username);
  await page.locator('#password').fill(person.password);
  await page.locator('#kc-login').click();
  await page.waitForURL(`${origin}/**`).catch(async (error: unknown) => {
    throw new Error(`${page.url()} says: ${await visibleText(page.locator('body'))}`, { cause: error });
  });
}

/** Opens a path and signs in at Keycloak. */
export async function openSignedIn(
  path: string,
  person: Person,
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  const page = await visit(null);
  await prepare?.(page);
  await page.goto(path);
  await page.getByRole('button', { name: button }).click();
  await signInAtKeycloak(page, person);
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  return page;
}

export async function logInByForm(
  page: Page,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

export const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');
export const focusPage = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));
export const statusFor = async (token: string) =>
  (await fetch(`${origin}/auth/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;
