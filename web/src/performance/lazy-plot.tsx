import type { Config, Data, Layout } from 'plotly.js';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ErrorBox } from '../components/feedback.tsx';
import { tokenColor } from '../lib/theme.ts';
import { useSeen } from '../lib/visible.ts';
import { drawnStyle, usePlot, useSize, useThemeChanges } from './use-plot.ts';

// Without a style the component uses inline-block.
const BLOCK = { display: 'block' };

type Props = {
  /** Describes the plot to screen readers. */
  label: string;
  /** Must be the same function while the figure is the same. `width` is in pixels; `color` returns the value of a design token. */
  build: (options: { width: number; color: typeof tokenColor }) => { data: Data[]; layout: Partial<Layout> };
  /** A constant, since plotly redraws everything for a new object. */
  config: Partial<Config>;
  /** Returns the height in pixels at a width, which is kept free until the plot is drawn. */
  minHeight: (width: number) => number;
};

/** Draws a plot as wide as its container. Loads plotly once the plot comes into view, and draws again after a change of the theme. */
export function LazyPlot({ label, build, config, minHeight }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useSize(box)?.width ?? 0;
  const [failed, setFailed] = useState(false);
  const onFailed = useCallback(() => setFailed(true), []);
  const Plot = usePlot(useSeen(box), onFailed);
  const theme = useThemeChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again after a change of the theme
  const drawing = useMemo(() => build({ width, color: tokenColor }), [build, width, theme]);
  if (failed) return <ErrorBox text="The plot could not be loaded." onRetry={() => setFailed(false)} />;
  return (
    <div
      ref={box}
      className="plot-drawing"
      role="img"
      aria-label={label}
      style={{ minHeight: minHeight(width), ...drawnStyle(width) }}
    >
      {Plot !== null && width > 0 && <Plot {...drawing} config={config} style={BLOCK} onError={onFailed} />}
    </div>
  );
}
