import { useEffect, useRef, useState } from 'react';
import { buildFigure, type FigureOptions } from './figure.ts';
import { lineStyle } from './line-style.ts';
import { selectRange, type ZoomRange } from './zoom-range.ts';

type Plotly = typeof import('./plotly.ts');
type Relayout = Record<string, unknown>;
type GraphDiv = HTMLDivElement & { on?: (event: string, listener: (data: Relayout) => void) => void };

type Props = Omit<FigureOptions, 'width' | 'height' | 'drag' | 'legend'> & {
  onRange: (range: ZoomRange) => void;
  onFailed: () => void;
};

const coarsePointer = () => window.matchMedia('(pointer: coarse)').matches;

/** The size of an element, kept up to date; zeros before it is known. */
function useSize(element: React.RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      setSize({ width: Math.round(width), height: Math.round(height) });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** The drawing itself: plotly in an element of its own. Zooming by drag goes out as a range and comes back as a property. */
export function Chart({ onRange, onFailed, ...figure }: Props) {
  const box = useRef<GraphDiv>(null);
  const size = useSize(box);
  const [plotly, setPlotly] = useState<Plotly | null>(null);
  const draw = useRef<() => void>(() => undefined);
  const drawn = useRef<unknown[]>([]);
  const latest = useRef({ onRange, onFailed, hands: figure.hands });
  latest.current = { onRange, onFailed, hands: figure.hands };

  useEffect(() => {
    let wanted = true;
    import('./plotly.ts').then(
      (loaded) => wanted && setPlotly(loaded),
      () => wanted && latest.current.onFailed(),
    );
    return () => {
      wanted = false;
    };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (element === null || plotly === null) return;
    return () => {
      plotly.purge(element);
      drawn.current = [];
    };
  }, [plotly]);

  const { lines, hidden, range, hands, interesting } = figure;
  useEffect(() => {
    const element = box.current;
    if (element === null || plotly === null || size.width === 0) return;
    const listen = () => {
      element.on?.('plotly_relayout', (change) => {
        const [from, to] = [Number(change['xaxis.range[0]']), Number(change['xaxis.range[1]'])];
        const selected = selectRange(from, to, latest.current.hands);
        // What plotly zoomed to by itself lies between hands: the whole ones are drawn, or what was there before.
        if (selected !== null) latest.current.onRange(selected);
        else if (Number.isFinite(from)) draw.current();
      });
      element.on?.('plotly_doubleclick', () => latest.current.onRange(null));
    };
    draw.current = () => {
      const first = element.on === undefined;
      const figure = buildFigure({ lines, hidden, range, hands, interesting, ...size, drag: !coarsePointer() });
      const content = [lines, hidden, hands, interesting, size];
      // Another range of what is drawn already needs the axes alone; that is several times faster.
      const zoomOnly = !first && content.every((part, index) => part === drawn.current[index]);
      drawn.current = content;
      const axes: object = { 'xaxis.range': figure.layout.xaxis.range, 'yaxis.range': figure.layout.yaxis.range };
      const done = zoomOnly
        ? plotly.relayout(element, axes)
        : plotly.react(element, figure.data, figure.layout, figure.config);
      done.then(
        () => first && listen(),
        () => latest.current.onFailed(),
      );
    };
    draw.current();
  }, [plotly, lines, hidden, range, hands, interesting, size]);

  return (
    <>
      {plotly === null && <p className="chart-loading">Drawing graph...</p>}
      <div ref={box} className="chart-drawing" />
    </>
  );
}

/** A short piece of a player's line with its marker, for legends. */
export function LineSample({ index }: { index: number }) {
  const style = lineStyle(index);
  return (
    <svg className="line-sample" viewBox="-20 -8 40 16" aria-hidden="true" focusable="false">
      <path d="M-19 0H19" stroke={style.color} strokeWidth="2.5" strokeDasharray={style.dashPattern} />
      <path d={style.markerPath} fill={style.color} />
    </svg>
  );
}
