import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { type Account, password } from './world.ts';

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

let browser: Browser | undefined;
let contexts: BrowserContext[] = [];

/** Errors that the pages of the running test logged or threw, except failed requests. */
export const pageErrors: string[] = [];

beforeAll(async () => {
  browser = await chromium.connect(inject('browserEndpoint'));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await Promise.all(contexts.flatMap((context) => context.pages()).map(printPage));
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  pageErrors.length = 0;
});
afterAll(async () => {
  await browser?.close();
});

/** Prints the address and the text of a page of a failed test, with its errors. */
async function printPage(page: Page): Promise<void> {
  const text = await page
    .locator('main')
    .textContent({ timeout: 2000 })
    .catch((error: unknown) => `no text: ${error}`);
  process.stdout.write(`left at ${page.url()}: ${text?.slice(0, 1000)}\n${pageErrors.join('\n')}\n`);
}

export interface VisitorOptions {
  readonly account?: Account;
  readonly size?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: boolean;
  readonly theme?: 'light' | 'dark';
}

/** Opens a page in a new browser context, signed in as the account. Closed after the test. */
export async function visit(path: string | null, options: VisitorOptions = {}): Promise<Page> {
  const { account, size = desktop, reducedMotion = true, theme = 'dark' } = options;
  const { origin } = inject('platform');
  if (browser === undefined) throw new Error('the browser is not connected');
  const localStorage = account ? [{ name: 'token', value: account.token }] : [];
  const context = await browser.newContext({
    baseURL: origin,
    viewport: size,
    colorScheme: theme,
    isMobile: size.width < 600,
    hasTouch: size.width < 600,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  contexts.push(context);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  page.on('pageerror', (error) => pageErrors.push(`${error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      pageErrors.push(message.text());
  });
  if (path !== null) await open(page, path);
  return page;
}

/** Opens a path and waits until the page is loaded: it has a heading and no loading text. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitUntilLoaded(page);
}

/** Waits until a page has a heading and no loading text. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () =>
      !/Loading|Drawing graph/.test(document.querySelector('main')?.textContent ?? 'Loading') &&
      document.querySelector('main')?.getAttribute('aria-busy') !== 'true',
  );
}

export const pathOf = (page: Page): string => {
  const url = new URL(page.url());
  return `${url.pathname}${url.search}${url.hash}`;
};

/** Returns the rendered text: without hidden parts, with the letter case of the style. */
// biome-ignore lint/performance/useDomNodeTextContent: what is hidden must not count
export const visibleText = (locator: Locator): Promise<string> => locator.innerText();

/** Returns the number of pixels by which a page scrolls horizontally; should be 0. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

/** Waits for rows in the list of hands and expects their cells under those of the head. */
export async function expectAlignedHands(page: Page): Promise<void> {
  await page.locator('.hand-row').nth(5).waitFor();
  const lefts = await page
    .locator('.hand-head, .hand-row')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left)).join(' ')),
    );
  expect(new Set(lefts).size, lefts.join('\n')).toBe(1);
}

/** Fills in the registration page, which is open or loading, and waits for the page that asks for the verification. */
export async function registerOn(page: Page, username: string): Promise<void> {
  // The login page, which has a field of the same name, stays until the chunk of the next page is loaded.
  await page.getByRole('heading', { name: 'Create Your Account' }).waitFor();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@test.invalid`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL('**/verify-account');
}
