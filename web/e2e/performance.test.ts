// Times are printed, never asserted: `make bench-web` runs this file alone. Bytes, rows and layout shift are asserted.
import type { CDPSession, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { type Measured, median, report, underLoad } from './load.ts';
import { open, visit, waitUntilLoaded } from './visitor.ts';

const { match } = inject('world');
const runs = 5;
const show = (values: readonly number[], digits = 0) => values.map((value) => value.toFixed(digits)).join(', ');

interface Vitals {
  readonly largestMs: number;
  readonly shift: number;
}

/** Counts the transferred bytes of scripts, as reported by the browser. */
async function countScripts(session: CDPSession): Promise<() => { total: number; plotly: number }> {
  await session.send('Network.enable');
  const scripts = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') scripts.set(requestId, response.url);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  return () => {
    const sizes = [...scripts].map(([id, url]) => [url, bytes.get(id) ?? 0] as const);
    const sum = (some: typeof sizes) => some.reduce((total, [, size]) => total + size, 0);
    return { total: sum(sizes), plotly: sum(sizes.filter(([url]) => url.includes('plotly'))) };
  };
}

async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = { largestMs: 0, shift: 0 };
    Object.assign(window, { vitals });
    new PerformanceObserver((list) => {
      vitals.largestMs = list.getEntries().at(-1)?.startTime ?? vitals.largestMs;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) vitals.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Waits until there are no requests and animations and the main thread is idle. */
async function waitForIdle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await Promise.all(
      document
        .getAnimations()
        .map(({ effect, finished }) =>
          effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
            ? Promise.resolve()
            : finished.catch(() => undefined),
        ),
    );
    await new Promise((resolve) => requestIdleCallback(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Scrolls to the graph, which is drawn once it is in view. */
async function showGraph(page: Page): Promise<void> {
  await page.locator('.chart-drawing').scrollIntoViewIfNeeded();
  await page.locator('.chart-drawing .main-svg').first().waitFor();
}

async function load(path: string, graph: boolean): Promise<Vitals & { scripts: number; plotly: number }> {
  const page = await visit(null);
  const session = await page.context().newCDPSession(page);
  const scripts = await countScripts(session);
  await watchVitals(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await open(page, path);
  if (graph) await showGraph(page);
  await waitForIdle(page);
  const vitals = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
  const { total, plotly } = scripts();
  await page.context().close();
  return { ...vitals, scripts: total, plotly };
}

test.each([
  { name: 'home', path: '/', graph: false },
  { name: 'games', path: '/games', graph: false },
  { name: 'replay', path: `/replay/${match.gameIds[1]}`, graph: false },
  { name: 'job', path: `/games/${match.jobId}`, graph: true },
])(
  'first load of $name: script size and layout shift are within budget at 4x CPU throttling',
  { timeout: 120_000 },
  async ({ name, path, graph }) => {
    const loads: Awaited<ReturnType<typeof load>>[] = [];
    const largest: Measured[] = [];
    for (let run = 0; run < runs; run++) {
      largest.push(
        await underLoad(async () => {
          const one = await load(path, graph);
          loads.push(one);
          return one.largestMs;
        }),
      );
    }
    const shift = loads.map((one) => one.shift);
    const scripts = loads.map((one) => (one.scripts - one.plotly) / 1000);
    console.log(
      `${name}: script without graph ${show(scripts, 1)} kB; largest paint ${report(largest)}; shift ${show(shift, 3)}`,
    );
    expect(Math.max(...scripts)).toBeLessThan(200);
    expect(loads.map((one) => one.plotly > 0)).toEqual(loads.map(() => graph));
    expect(median(shift)).toBeLessThanOrEqual(0.05);
  },
);

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

test('the page of a 1,000-hand match renders fewer than 60 rows after scrolling and sorting', async () => {
  expect(match.hands).toBe(1000);
  const page = await visit(`/games/${match.jobId}`);
  await showGraph(page);
  await waitForIdle(page);
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
  for (let run = 0; run < 3; run++) {
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
  await watchVitals(page);
  await open(page, '/');
  // `networkidle` is a state of the document: once reached it stays, but a page left before may never reach it.
  await waitForIdle(page);
  for (const name of ['Games', 'About', 'Home']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.waitForURL((url) => url.pathname === (name === 'Home' ? '/' : `/${name.toLowerCase()}`));
    await waitUntilLoaded(page);
  }
  await waitForIdle(page);
  const { shift } = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
  console.log(`layout shift over four pages: ${shift.toFixed(3)}`);
  expect(shift).toBeLessThanOrEqual(0.05);
});
