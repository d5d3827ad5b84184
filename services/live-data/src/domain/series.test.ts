import { expect, test } from 'vitest';
import { HandRate, packSeries, unpackSeries } from './series.ts';

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

test('computes the speed of the last seconds instead of the whole match', () => {
  const rate = new HandRate(0, 5000);
  rate.add(10_000, 10);
  for (let second = 11; second <= 20; second++) rate.add(second * 1000, 10 + (second - 10) * 100);
  expect(rate.handsPerSecond).toBeCloseTo(100);
  expect(rate.secondsLeft(1510)).toBeCloseTo(5);
});

test('reports no speed and no time left before the first hand', () => {
  const rate = new HandRate(1000);
  rate.add(2000, 0);
  expect(rate.handsPerSecond).toBe(0);
  expect(rate.secondsLeft(1000)).toBe(0);
});
