// Bytes, requests, rows and layout shift are asserted; times and long tasks, which depend on the load of the machine, are printed.
// `make bench-web` runs this file alone, with more runs and with Lighthouse.
import { freePort } from '@husky/platform/free-port';
import { chromium, type Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { api, asAdmin, finishedBatchNumber, freshName, startBatch } from './admin-steps.ts';
import { chromiumOptions } from './chromium.ts';
import {
  contention,
  expectLightLoad,
  type Measured,
  median,
  report,
  shiftOf,
  underLoad,
  waitForIdle,
  watchShift,
} from './load.ts';
import { open, visit, waitUntilLoaded } from './visitor.ts';
import { registerVerified, submit } from './world.ts';

const world = inject('world');
const { match } = world;
const { origin } = inject('platform');
const benching = process.env.RUNS !== undefined;
const runs = Number(process.env.RUNS ?? 1);

/** Plays and publishes a batch of 28 matches of eight bots; returns its page. */
async function batchPage(): Promise<string> {
  const more = ['pot-odds', 'calling-station'].map(async (bot) => {
    const account = await registerVerified(api, world.admin, freshName('eighth'));
    await submit(api, account, bot, true);
    return account;
  });
  const id = await startBatch([...world.bots, ...(await Promise.all(more))], 1000);
  const number = await finishedBatchNumber(id, 28);
  await asAdmin.post(`/llm/batch/${id}/public`, { public: true });
  return `/batches/${number}`;
}

/** Returns Lighthouse's score of a page with its mobile preset, in a browser of its own, and prints its figures. */
async function audit(name: string, path: string): Promise<number> {
  const { default: lighthouse } = await import('lighthouse');
  const port = await freePort();
  const options = chromiumOptions();
  const args = [...(options.args ?? []), `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ ...options, args });
  try {
    const result = await lighthouse(`${origin}${path}`, { port, logLevel: 'error', onlyCategories: ['performance'] });
    const { categories, audits, runtimeError } = result?.lhr ?? expect.fail('Lighthouse has no result');
    if (runtimeError) throw new Error(runtimeError.message);
    const score = Math.round((categories.performance?.score ?? 0) * 100);
    const [blockingMs, largestMs] = ['total-blocking-time', 'largest-contentful-paint'].map((id) =>
      Math.round(audits[id]?.numericValue ?? Number.NaN),
    );
    const longTasks = (audits['long-tasks']?.details as { items?: object[] } | undefined)?.items?.length;
    console.log(
      `${name} at load ${contention().toFixed(1)}: ${JSON.stringify({ score, blockingMs, largestMs, longTasks })}`,
    );
    return score;
  } finally {
    await browser.close();
  }
}

const pages = [
  { name: 'home', path: '/', kb: 180, requests: 15 },
  { name: 'games', path: '/games', kb: 180, requests: 18 },
  { name: 'match', path: `/games/${match.jobId}`, kb: 320, requests: 60 },
  { name: 'replay', path: `/replay/${match.gameIds[1]}`, kb: 240, requests: 30 },
];

test.each(pages)(
  'first load of $name on a phone: without a shift, with few bytes and requests',
  async ({ path, ...limits }) => {
    await expectLightLoad(path, limits);
  },
);

// Scores depend on the machine, so only `make bench-web` prints them.
test.runIf(benching)(
  'Lighthouse audits the pages',
  async () => {
    const audited = [...pages, { name: 'batch', path: await batchPage() }];
    for (const { name, path } of audited) {
      const scores: number[] = [];
      for (let run = 0; run < runs; run++) scores.push(await audit(name, path));
      console.log(`${name}: median ${median(scores)} of ${scores.join(', ')}`);
    }
  },
  1_800_000,
);

/** Scrolls to the graph, which is drawn once it is in view. */
async function showGraph(page: Page): Promise<void> {
  await page.locator('.chart-drawing').scrollIntoViewIfNeeded();
  await page.locator('.chart-drawing .main-svg').first().waitFor();
}

/** Returns the longest task of the main thread during `act`, in ms; 0 if none took 50 ms. */
function longestTask(page: Page, act: () => Promise<void>): Promise<Measured> {
  return underLoad(async () => {
    await page.evaluate(() => {
      const tasks: number[] = [];
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map((entry) => entry.duration)),
      );
      observer.observe({ type: 'longtask' });
      Object.assign(window, { tasks, observer });
    });
    await act();
    return page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
      const { tasks, observer } = window as unknown as { tasks: number[]; observer: PerformanceObserver };
      observer.disconnect();
      return Math.max(0, ...tasks);
    });
  });
}

test('the page of a 1,000-hand match draws its graph in view, shifts nothing, and renders fewer than 60 rows', async () => {
  expect(match.hands).toBe(1000);
  const page = await visit(null);
  await watchShift(page);
  await open(page, `/games/${match.jobId}`);
  await showGraph(page);
  await waitForIdle(page);
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.05);
  const list = page.getByRole('region', { name: 'Hands of this match' });
  await list.scrollIntoViewIfNeeded();
  await list.hover();
  const scrolls: Measured[] = [];
  const sorts: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    scrolls.push(
      await longestTask(page, async () => {
        for (let step = 0; step < 12; step++) await page.mouse.wheel(0, run % 2 === 0 ? 1500 : -1500);
      }),
    );
    sorts.push(
      await longestTask(page, () => page.getByRole('button', { name: /SORT BY UUID|UUID (ASC|DESC)/ }).click()),
    );
  }
  console.log(
    `1,000 hands: longest task when scrolling ${report(scrolls)}, when sorting ${report(sorts)} (0: none over 50)`,
  );
  expect(await page.locator('.hand-row').count()).toBeLessThan(60);
});

test('the graph of six players and 1,000 hands zooms by inputs and by drag', async () => {
  const page = await visit(`/games/${match.jobId}`);
  await showGraph(page);
  await page.getByLabel('Sample').selectOption({ index: 0 });
  await waitForIdle(page);
  const zooms: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    const from = String(100 + run * 100);
    const zoom = () =>
      page.getByLabel('From', { exact: true }).evaluate(async (input: HTMLInputElement, text) => {
        const startedMs = performance.now();
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return performance.now() - startedMs;
      }, from);
    zooms.push(await underLoad(zoom));
    await page.getByText(`ZOOMED: ${from} → 1000`).waitFor();
  }
  await page.getByRole('button', { name: 'RESET ZOOM' }).click();
  await page.getByText('FULL RANGE').waitFor();
  const box = await page.locator('.chart-drawing').boundingBox();
  if (box === null) throw new Error('there is no graph');
  const moves: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    moves.push(
      await longestTask(page, async () => {
        for (let step = 1; step < 30; step++)
          await page.mouse.move(box.x + 60 + ((box.width - 90) * step) / 30, box.y + box.height / 2);
      }),
    );
  }
  console.log(`graph: zoom ${report(zooms)}; longest task under the mouse ${report(moves)}`);
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.getByText(/ZOOMED: \d+ → \d+/).waitFor();
});

test('navigation between routes does not reload and stays within the budget of layout shift', async () => {
  const page = await visit(null);
  await watchShift(page);
  await open(page, '/');
  // `networkidle` is a state of the document: once reached it stays, but a page left before may never reach it.
  await waitForIdle(page);
  for (const name of ['Games', 'About', 'Home']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.waitForURL((url) => url.pathname === (name === 'Home' ? '/' : `/${name.toLowerCase()}`));
    await waitUntilLoaded(page);
  }
  await waitForIdle(page);
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.05);
});
