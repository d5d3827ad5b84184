import { expect, test } from 'vitest';
import { packSeries, unpackSeries } from './series.ts';

test('unpacks a packed series unchanged', () => {
  const series = [
    [10, -5, 0, 2_000_000_000],
    [-10, 5, 0, -2_000_000_000],
  ];
  expect(unpackSeries(packSeries(series))).toEqual(series);
});

test('packs one empty series per seat for a match without hands', () => {
  expect(unpackSeries(packSeries([[], [], []]))).toEqual([[], [], []]);
});

test('packs a thousand small steps of six seats into less than 12 bytes per hand', () => {
  const series = Array.from({ length: 6 }, (_, seat) => {
    let sum = 0;
    return Array.from({ length: 1000 }, (_, hand) => {
      sum += ((hand * 7919 + seat * 104_729) % 401) - 200;
      return sum;
    });
  });
  expect(packSeries(series).length).toBeLessThan(12_000);
});
