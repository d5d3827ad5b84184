import { useEffect, useRef, useState } from 'react';
import { onThemeChange } from '../lib/theme.ts';
import { useSeen } from '../lib/use-seen.ts';
import { AXIS_TITLES, type Figure } from './figure.ts';
import { lineStyle } from './line-style.ts';
import type { Plot } from './plot.ts';
import { selectRange, type ZoomRange } from './zoom-range.ts';

type Props = Figure & { onRange: (range: ZoomRange) => void; onFailed: () => void };

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });

/** Draws again when the element changes its size or the page its theme. Returns a function that stops it. */
function followChanges(element: HTMLElement, plot: Plot): () => void {
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.resize(sizeOf(element));
  });
  observer.observe(element);
  const unfollowTheme = onThemeChange(plot.redraw);
  return () => {
    observer.disconnect();
    unfollowTheme();
  };
}

/**
 * Draws the graph once it comes into view; the library is loaded then. A zoom by drag is reported to `onRange`; the parent passes it
 * back as `range`.
 */
export function Chart({ onRange, onFailed, ...figure }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<Plot | null>(null);
  const seen = useSeen(box);
  const latest = useRef({ figure, onRange });
  latest.current = { figure, onRange };

  useEffect(() => {
    const element = box.current;
    if (!seen || element === null) return;
    let stop: (() => void) | null = null;
    let active = true;
    const draw = ({ createPlot }: typeof import('./plot.ts')) => {
      if (!active) return;
      const created = createPlot(element, latest.current.figure, {
        ...sizeOf(element),
        drag: !window.matchMedia('(pointer: coarse)').matches,
        onSelect: (from, to) => {
          const selected = selectRange(from, to, latest.current.figure.hands);
          if (selected !== null) latest.current.onRange(selected);
        },
        onReset: () => latest.current.onRange(null),
      });
      const unfollow = followChanges(element, created);
      stop = () => {
        unfollow();
        created.destroy();
      };
      setPlot(created);
    };
    import('./plot.ts').then(draw).catch(() => active && onFailed());
    return () => {
      active = false;
      stop?.();
      setPlot(null);
    };
  }, [seen, onFailed]);

  const { lines, hidden, range, hands, interesting } = figure;
  useEffect(
    () => plot?.update({ lines, hidden, range, hands, interesting }),
    [plot, lines, hidden, range, hands, interesting],
  );

  return (
    <>
      {seen && plot === null && <p className="chart-loading">Drawing graph...</p>}
      <div ref={box} className="chart-drawing" />
      <span className="chart-title chart-title-x">{AXIS_TITLES.x}</span>
      <span className="chart-title chart-title-y">{AXIS_TITLES.y}</span>
    </>
  );
}

/** A sample of a player's line with its marker, for legends. */
export function LineSample({ index }: { index: number }) {
  const { token, dash, markerPath } = lineStyle(index);
  const color = `var(${token})`;
  return (
    <svg className="line-sample" viewBox="-20 -8 40 16" aria-hidden="true" focusable="false">
      <path d="M-19 0H19" style={{ stroke: color }} strokeWidth="2.5" strokeDasharray={dash.join(' ')} />
      <path d={markerPath} style={{ fill: color }} />
    </svg>
  );
}
