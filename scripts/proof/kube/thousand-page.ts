import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../../../web/e2e/chromium.ts';
import { root } from './cluster.ts';

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const maxRendered = 40;

/** The expected content of the container page: numbers of runners by state, and the name of a busy runner that is a real pod. */
export interface ExpectedRunners {
  readonly idle: number;
  readonly active: number;
  readonly real: string;
}

/**
 * Opens the container page in Chromium as an admin on a desktop and a phone, moves through the list, searches, filters and reads logs.
 * Writes screenshots to test-results. Returns times and the longest tasks of the page's main thread in ms.
 */
export async function checkContainerPage(origin: string, token: string, expected: ExpectedRunners): Promise<string> {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const browser = await chromium.launch(chromiumOptions());
  try {
    const notes: string[] = [];
    for (const name of ['desktop', 'phone'] as const) {
      notes.push(`${name}: ${await usePage(browser, origin, token, expected, name)}`);
    }
    return `${notes.join('; ')}; screenshots in test-results`;
  } finally {
    await browser.close();
  }
}

async function usePage(
  browser: Browser,
  origin: string,
  token: string,
  { idle, active, real }: ExpectedRunners,
  device: keyof typeof sizes,
): Promise<string> {
  const storageState = { cookies: [], origins: [{ origin, localStorage: [{ name: 'token', value: token }] }] };
  const context = await browser.newContext({
    baseURL: origin,
    viewport: sizes[device],
    reducedMotion: 'reduce',
    storageState,
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript(`window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask', buffered: true });`);
  const takeLongestTask = async () => Math.max(0, ...(await page.evaluate<number[]>('window.tasks.splice(0)')));
  const startedMs = performance.now();
  await page.goto('/container-manager');
  const panel = page.getByRole('region', { name: 'CONTAINER LOG VIEWER' });
  const list = panel.getByRole('listbox', { name: 'Containers' });
  const options = list.getByRole('option');
  const logLines = panel.getByText(/^[1-9]\d* lines$/);
  await panel.getByText(`${idle} idle, ${active} active`, { exact: true }).waitFor();
  const shownMs = performance.now() - startedMs;
  const rendered = await options.count();
  if (rendered > maxRendered) throw new Error(`${device}: ${rendered} rows are rendered instead of the visible ones`);
  const loadTask = await takeLongestTask();
  await page.waitForResponse((response) => response.url().endsWith('/docker/pool/detailed'));

  await list.focus();
  await page.keyboard.press('End');
  await list.locator(`[aria-posinset="${idle + active}"]`).waitFor();
  for (let press = 0; press < 3; press++) await page.keyboard.press('PageUp');
  await page.keyboard.press('Enter');
  await logLines.waitFor();
  await panel.getByText('pool | the log of').first().waitFor();
  await page.screenshot({ path: join(root, 'test-results', `thousand-${device}.png`), fullPage: true });

  await panel.getByLabel('State').selectOption('active');
  await panel.getByText(`${active} active`, { exact: true }).waitFor();
  if ((await options.count()) !== active) throw new Error(`${device}: ${await options.count()} active rows are listed`);
  await panel.getByLabel('Search').fill(real);
  await panel.getByText('1 active', { exact: true }).waitFor();
  await options.first().click();
  await panel
    .getByText(/^dealer \| |^seats \| /)
    .first()
    .waitFor();
  const useTask = await takeLongestTask();
  if (errors.length > 0) throw new Error(`${device}: the page threw: ${errors.join('; ')}`);
  await context.close();
  return `shown after ${shownMs.toFixed(0)} ms, longest task ${loadTask} ms, in use ${useTask} ms, ${rendered} rows rendered`;
}
