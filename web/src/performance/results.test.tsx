// @vitest-environment happy-dom

import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, test } from 'vitest';
import { buildFrame, buildTraces, isZoomOnly, withRanges } from './figure.ts';
import { lineStyle } from './line-style.ts';
import { linePath, nearestLine, placeLabels, shareFromTop, valueAxis } from './results-figure.ts';
import { ResultsGraph } from './results-graph.tsx';

describe('results figure', () => {
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
});

describe('results graph', () => {
  afterEach(cleanup);

  const players = Array.from({ length: 20 }, (_, index) => ({
    name: `${'W'.repeat(30)}${index + 10}`,
    values: [0, 1000 - index * 100],
  }));

  it('draws one line and one label for each of 20 players, and describes the end for screen readers', () => {
    const { container } = render(<ResultsGraph points={[0, 1716]} lines={players} />);
    expect(container.querySelectorAll('.results-line')).toHaveLength(20);
    expect(screen.getAllByRole('button')).toHaveLength(20);
    const name = screen.getByRole('img').getAttribute('aria-label');
    expect(name).toMatch(/^Cumulative winnings over 1,716 matches\. W+10 \+1,000, W+11 \+900/);
  });

  it('highlights the line of a focused name and shows its value; a click keeps it', () => {
    const { container } = render(<ResultsGraph points={[0, 1716]} lines={players} />);
    const button = screen.getByRole('button', { name: players[3]?.name ?? '' });
    const active = () =>
      [...container.querySelectorAll('.results-line')].findIndex((line) =>
        line.classList.contains('results-line-active'),
      );
    fireEvent.focus(button);
    expect(active()).toBe(3);
    expect(container.querySelector('.results-readout')?.textContent).toContain('+$700 after 1,716 of 1,716 matches');
    fireEvent.click(button);
    fireEvent.blur(button);
    expect([active(), button.getAttribute('aria-pressed')]).toEqual([3, 'true']);
    fireEvent.click(button);
    expect(active()).toBe(-1);
  });

  it('draws a single match and a player who never won or lost', () => {
    const { container } = render(<ResultsGraph points={[0, 1]} lines={[{ name: 'ann', values: [0, 0] }]} />);
    expect(container.querySelector('.results-line')?.getAttribute('d')).toBe('M0.0 400.0L1000.0 400.0');
  });
});

describe('figure', () => {
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
});
