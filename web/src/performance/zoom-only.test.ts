import { expect, test } from 'vitest';
import { buildFrame, buildTraces, withRanges } from './figure.ts';
import { isZoomOnly } from './zoom-only.ts';

const how = { width: 800, height: 400, drag: true, color: () => '#fff' };
const options = {
  lines: [{ name: 'a', hands: [0, 1, 2], values: [0, 5, -5] }],
  hidden: new Set<number>(),
  hands: 2,
  interesting: [],
  range: null,
};
const data = buildTraces(options, how);
const frame = buildFrame(options, how);
const all = { data, layout: withRanges(frame, options) };
const zoomed = { data, layout: withRanges(frame, { ...options, range: { from: 1, to: 2 } }) };

test('a new range over the same traces and frame is only a zoom', () => {
  expect(zoomed.layout.xaxis.range).toEqual([1, 2]);
  expect(isZoomOnly(all, zoomed)).toBe(true);
});

test('the same range again is only a zoom, so that it resets the range that a drag wrote into the layout', () => {
  expect(isZoomOnly(all, { data, layout: withRanges(frame, options) })).toBe(true);
});

test('new traces are more than a zoom', () => {
  expect(isZoomOnly(all, { ...zoomed, data: buildTraces(options, how) })).toBe(false);
});

test('a new frame is more than a zoom', () => {
  const wider = buildFrame(options, { ...how, width: 900 });
  expect(isZoomOnly(all, { data, layout: withRanges(wider, options) })).toBe(false);
  const fixed = { ...all.layout, xaxis: { ...all.layout.xaxis, fixedrange: true } };
  expect(isZoomOnly(all, { data, layout: fixed })).toBe(false);
});
