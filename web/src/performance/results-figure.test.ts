import { expect, test } from 'vitest';
import { linePath, nearestLine, placeLabels, shareFromTop, valueAxis } from './results-figure.ts';

const line = (...values: number[]) => ({ name: 'ann', values });

test('chooses round ticks around zero and all values', () => {
  expect(valueAxis([line(0, -12_000, 31_000)])).toEqual({
    low: -20_000,
    high: 40_000,
    ticks: [-20_000, -10_000, 0, 10_000, 20_000, 30_000, 40_000],
  });
  expect(valueAxis([line(0, 0)])).toMatchObject({ low: 0, high: 1 });
  expect(valueAxis([])).toMatchObject({ low: 0, high: 1 });
});

test('draws a line over the numbers of matches', () => {
  const axis = { low: -10, high: 10, ticks: [] };
  expect(linePath(line(0, 10, -10), [0, 50, 100], axis, 1000, 400)).toBe('M0.0 200.0L500.0 0.0L1000.0 400.0');
  expect(shareFromTop(axis, 0)).toBe(0.5);
});

test('keeps labels apart, inside and in the order of their lines', () => {
  expect(placeLabels([0.5, 0.5, 0.1], 0.1)).toEqual([0.5, 0.6, 0.1]);
  const crowded = placeLabels(Array(20).fill(1), 0.045);
  const sorted = crowded.toSorted((a, b) => a - b);
  expect(Math.max(...crowded)).toBeLessThanOrEqual(1);
  for (const [index, place] of sorted.entries()) {
    if (index > 0) expect(place - (sorted[index - 1] ?? 0)).toBeGreaterThan(0.0449);
  }
});

test('finds the line nearest to the pointer', () => {
  const lines = [line(0, 10), line(0, -10), line(0, 3)];
  expect(nearestLine(lines, { low: -10, high: 10, ticks: [] }, 1, 0.3)).toBe(2);
});
