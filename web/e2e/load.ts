import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { open, phone, visit } from './visitor.ts';

const spinMs = 80;

/**
 * Measures the load of the machine: wall time divided by processor time of a busy loop of 80 ms; 1 on an idle machine. Measured
 * before and after each run, so that results can be compared despite other processes.
 */
export function contention(): number {
  const began = performance.now();
  const cpu = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(cpu);
    const usedMs = (user + system) / 1000;
    if (usedMs >= spinMs) return Math.max(1, (performance.now() - began) / usedMs);
  }
}

export interface Measured {
  readonly value: number;
  readonly load: number;
}

/** Runs the measurement and returns its value with the mean of the load before and after it. */
export async function underLoad(measure: () => Promise<number>): Promise<Measured> {
  const before = contention();
  const value = await measure();
  return { value, load: (before + contention()) / 2 };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the median of the values, each divided by its load. */
const normalizedMedian = (runs: readonly Measured[]): number => median(runs.map(({ value, load }) => value / load));

/** Formats the values with their loads, and the median of their quotients, for the log. */
export const report = (runs: readonly Measured[]): string =>
  `${runs.map(({ value, load }) => `${value.toFixed(0)}${load > 1.1 ? `@${load.toFixed(1)}` : ''}`).join(', ')} ms (at load 1: ${normalizedMedian(runs).toFixed(0)})`;

/** Counts the layout shift of the pages that are opened from now on. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = { shift: 0 };
    Object.assign(window, { vitals });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) vitals.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Returns the layout shift since watchShift, without those that follow input. */
export const shiftOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { vitals: { shift: number } }).vitals.shift);

/** Waits until there are no requests and animations and the main thread is idle. */
export async function waitForIdle(page: Page): Promise<void> {
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

/** Opens a page as on a phone with an empty cache and expects it to stay within the limits of transferred kB, requests and layout shift. */
export async function expectLightLoad(path: string, limits: { kb: number; requests: number }): Promise<void> {
  const page = await visit(null, { size: phone });
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  await watchShift(page);
  await open(page, path);
  await waitForIdle(page);
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  const bytes = sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  );
  console.log(
    `${path}: ${(bytes / 1000).toFixed(0)} kB, ${requests.length} requests, shift ${(await shiftOf(page)).toFixed(4)}`,
  );
  expect(await shiftOf(page), path).toBeLessThanOrEqual(0.05);
  expect(bytes / 1000, path).toBeLessThanOrEqual(limits.kb);
  expect(requests.length, path).toBeLessThanOrEqual(limits.requests);
}
