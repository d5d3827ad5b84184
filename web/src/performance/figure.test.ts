import { expect, test } from 'vitest';
import { buildFrame, buildTraces, isZoomOnly, withRanges } from './figure.ts';
import { lineStyle } from './line-style.ts';

const options = { width: 800, height: 400, drag: true, color: () => '#fff' };
const figure = {
  lines: [{ name: 'a', hands: [0, 1, 2], values: [0, 5, -5] }],
  hidden: new Set<number>(),
  hands: 2,
  interesting: [],
  range: null,
};
const data = buildTraces(figure, options);
const frame = buildFrame(figure, options);
const all = { data, layout: withRanges(frame, figure) };
const zoomed = { data, layout: withRanges(frame, { ...figure, range: { from: 1, to: 2 } }) };

test('a new range over the same traces and frame is only a zoom', () => {
  expect(zoomed.layout.xaxis.range).toEqual([1, 2]);
  expect(isZoomOnly(all, zoomed)).toBe(true);
});

test('the same range again is only a zoom, so that it resets the range that a drag wrote into the layout', () => {
  expect(isZoomOnly(all, { data, layout: withRanges(frame, figure) })).toBe(true);
});

test('new traces are more than a zoom', () => {
  expect(isZoomOnly(all, { ...zoomed, data: buildTraces(figure, options) })).toBe(false);
});

test('a new frame is more than a zoom', () => {
  const wider = buildFrame(figure, { ...options, width: 900 });
  expect(isZoomOnly(all, { data, layout: withRanges(wider, figure) })).toBe(false);
  const fixed = { ...all.layout, xaxis: { ...all.layout.xaxis, fixedrange: true } };
  expect(isZoomOnly(all, { data, layout: fixed })).toBe(false);
});

test('the lines of 20 players differ, and lines of one colour differ in dash and marker', () => {
  const styles = Array.from({ length: 20 }, (_, index) => lineStyle(index));
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(20);
  for (const [index, style] of styles.entries()) {
    const sameColor = styles.filter((other, at) => at !== index && other.token === style.token);
    expect(sameColor.map((other) => other.markerPath)).not.toContain(style.markerPath);
    expect(sameColor.map((other) => String(other.dash))).not.toContain(String(style.dash));
  }
});
