import { expect, test } from 'vitest';
import { packSeries, unpackSeries } from './series.ts';

test('a series comes back as it was packed', () => {
  const series = [
    [10, -5, 0, 2_000_000_000],
    [-10, 5, 0, -2_000_000_000],
  ];
  expect(unpackSeries(packSeries(series))).toEqual(series);
});

test('a match without hands has an empty series a seat', () => {
  expect(unpackSeries(packSeries([[], [], []]))).toEqual([[], [], []]);
});

test('a thousand small steps of six seats take less than 12 bytes a hand', () => {
  const series = Array.from({ length: 6 }, (_, seat) => {
    let sum = 0;
    return Array.from({ length: 1000 }, (_, hand) => {
      sum += ((hand * 7919 + seat * 104_729) % 401) - 200;
      return sum;
    });
  });
  expect(packSeries(series).length).toBeLessThan(12_000);
});
