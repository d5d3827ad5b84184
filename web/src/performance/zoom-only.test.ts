import { expect, test } from 'vitest';
import { buildFrame, buildTraces, withRanges } from './figure.ts';
import { isZoomOnly } from './zoom-only.ts';

const size = { width: 800, height: 400 };
const options = { lines: [{ name: 'a', hands: [0, 1, 2], values: [0, 5, -5] }], hidden: new Set<number>(), hands: 2 };
const data = buildTraces({ ...options, ...size });
const frame = buildFrame({ ...size, interesting: [], drag: true });
const all = { data, layout: withRanges(frame, { ...options, range: null }) };
const zoomed = { data, layout: withRanges(frame, { ...options, range: { from: 1, to: 2 } }) };

test('a new range over the same traces and frame is only a zoom', () => {
  expect(zoomed.layout.xaxis.range).toEqual([1, 2]);
  expect(isZoomOnly(all, zoomed)).toBe(true);
});

test('the same range again is only a zoom, so that it resets the range that a drag wrote into the layout', () => {
  expect(isZoomOnly(all, { data, layout: withRanges(frame, { ...options, range: null }) })).toBe(true);
});

test('new traces are more than a zoom', () => {
  expect(isZoomOnly(all, { ...zoomed, data: buildTraces({ ...options, ...size }) })).toBe(false);
});

test('a new frame is more than a zoom', () => {
  const wider = buildFrame({ ...size, width: 900, interesting: [], drag: true });
  expect(isZoomOnly(all, { data, layout: withRanges(wider, { ...options, range: null }) })).toBe(false);
  const fixed = { ...all.layout, xaxis: { ...all.layout.xaxis, fixedrange: true } };
  expect(isZoomOnly(all, { data, layout: fixed })).toBe(false);
});
