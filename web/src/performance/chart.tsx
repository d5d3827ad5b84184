import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { tokenColor } from '../lib/theme.ts';
import { useSeen } from '../lib/visible.ts';
import { buildFrame, buildTraces, CONFIG, type Figure, withRanges } from './figure.ts';
import { lineStyle } from './line-style.ts';
import { drawnStyle, type Plot, usePlot, useSize, useThemeChanges } from './use-plot.ts';
import { selectRange, type ZoomRange } from './zoom-bar.tsx';

type Relayout = Record<string, unknown>;

type Props = Figure & { onRange: (range: ZoomRange) => void; onFailed: () => void };

// Without a style the component uses inline-block.
const BLOCK = { display: 'block' };
/** Drawing 1,000 hands blocks a slow phone for 0.2 s, so the lines of a running match are drawn again at most this often. */
const REDRAW_MS = 4000;

const coarsePointer = () => window.matchMedia('(pointer: coarse)').matches;

/** Returns the value, updated at most every `ms`; a change of `key` updates it at once. */
function useThrottled<T>(value: T, key: unknown, ms: number): T {
  const [shown, setShown] = useState({ value, key, at: 0 });
  useEffect(() => {
    if (shown.value === value) return;
    const wait = shown.key === key ? Math.max(0, shown.at + ms - performance.now()) : 0;
    const timer = setTimeout(() => setShown({ value, key, at: performance.now() }), wait);
    return () => clearTimeout(timer);
  }, [shown, value, key, ms]);
  return shown.value;
}

/** Draws the graph once it comes into view. A zoom by drag is reported to `onRange`; the parent passes it back as `range`. */
export function Chart({ onFailed, onRange, hidden, range, ...growing }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const seen = useSeen(box);
  const Plot = usePlot(seen, onFailed);
  const { lines, hands, interesting } = growing;
  const content = useMemo(() => ({ lines, hands, interesting }), [lines, hands, interesting]);
  // The number of points changes with the sample size, which must show at once; hands of a running match add one at a time.
  const sample = lines[0]?.hands[0];
  const drawn = useThrottled(content, sample, REDRAW_MS);
  return (
    <>
      {seen && Plot === null && <p className="chart-loading">Drawing graph...</p>}
      <div ref={box} className="chart-drawing plot-drawing" style={drawnStyle(size?.width ?? 0)}>
        {Plot !== null && size !== null && (
          <Drawing
            Plot={Plot}
            {...drawn}
            {...size}
            hidden={hidden}
            range={range}
            onRange={onRange}
            onFailed={onFailed}
          />
        )}
      </div>
    </>
  );
}

type DrawingProps = Props & { Plot: Plot; width: number; height: number };

/** Traces and layout stay the same objects until their content changes, because the component redraws for every new object. */
function Drawing({ Plot, lines, hidden, range, hands, interesting, width, height, onRange, onFailed }: DrawingProps) {
  const [revision, setRevision] = useState(0);
  const theme = useThemeChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again after a change of the theme
  const options = useMemo(() => ({ width, height, drag: !coarsePointer(), color: tokenColor }), [width, height, theme]);
  const figure = useMemo(
    () => ({ lines, hidden, range, hands, interesting }),
    [lines, hidden, range, hands, interesting],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a zoom must not make new traces
  const data = useMemo(() => buildTraces(figure, options), [lines, hidden, options]);
  const frame = useMemo(() => buildFrame({ interesting }, options), [interesting, options]);
  const drawing = useMemo(() => ({ revision, layout: withRanges(frame, figure) }), [revision, frame, figure]);

  const onRelayout = useCallback(
    (change: Relayout) => {
      const [from, to] = [Number(change['xaxis.range[0]']), Number(change['xaxis.range[1]'])];
      const selected = selectRange(from, to, hands);
      // Plotly zooms to fractions of hands: reports the range in whole hands, or redraws the previous range if it is empty.
      if (selected !== null) onRange(selected);
      else if (Number.isFinite(from)) setRevision((before) => before + 1);
    },
    [hands, onRange],
  );
  const onDoubleClick = useCallback(() => onRange(null), [onRange]);

  return (
    <Plot
      {...drawing}
      data={data}
      config={CONFIG}
      style={BLOCK}
      onRelayout={onRelayout}
      onDoubleClick={onDoubleClick}
      onError={onFailed}
    />
  );
}

/** Draws a sample of a player's line with its marker, for legends. */
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
