import { type CSSProperties, type RefObject, useEffect, useState } from 'react';
import { subscribeTheme } from '../lib/theme.ts';

export type Plot = typeof import('./plotly.ts').Plot;

/** Returns the current size of an element in whole pixels; null before the first measurement. A hidden element keeps its last size. */
export function useSize(element: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? 0);
      const height = Math.round(entry?.contentRect.height ?? 0);
      if (width === 0) return;
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Returns a style with the width of a drawing, by which print.css makes it as wide as the paper: plotly does not draw it again for print. */
export const drawnStyle = (width: number) => ({ '--drawn-width': width }) as CSSProperties;

/** Loads the component of react-plotly.js once the graph is in view; returns null until then. */
export function usePlot(seen: boolean, onFailed: () => void): Plot | null {
  const [plot, setPlot] = useState<{ Plot: Plot } | null>(null);
  useEffect(() => {
    if (!seen) return;
    let active = true;
    import('./plotly.ts').then(
      (loaded) => active && setPlot({ Plot: loaded.Plot }),
      () => active && onFailed(),
    );
    return () => {
      active = false;
    };
  }, [seen, onFailed]);
  return plot?.Plot ?? null;
}

/** Returns a number that changes when the colours of the page change, so that a canvas is drawn again. */
export function useThemeChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => subscribeTheme(() => setChanges((before) => before + 1)), []);
  return changes;
}
