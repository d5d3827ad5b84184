import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { buildFrame, buildTraces, CONFIG, type FigureOptions, withRanges } from './figure.ts';
import { lineStyle } from './line-style.ts';
import { selectRange, type ZoomRange } from './zoom-range.ts';

type Plot = typeof import('./plotly.ts').Plot;
type Relayout = Record<string, unknown>;

type Props = Omit<FigureOptions, 'width' | 'height' | 'drag' | 'legend'> & {
  onRange: (range: ZoomRange) => void;
  onFailed: () => void;
};

// Without a style the component uses inline-block.
const BLOCK = { display: 'block' };

const coarsePointer = () => window.matchMedia('(pointer: coarse)').matches;

/** Returns the current size of an element in whole pixels; null before the first measurement. A hidden element keeps its last size. */
function useSize(element: React.RefObject<HTMLElement | null>) {
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

/** Loads the component of react-plotly.js; returns null until then. */
function usePlot(onFailed: () => void): Plot | null {
  const [plot, setPlot] = useState<{ Plot: Plot } | null>(null);
  useEffect(() => {
    let active = true;
    import('./plotly.ts').then(
      (loaded) => active && setPlot({ Plot: loaded.Plot }),
      () => active && onFailed(),
    );
    return () => {
      active = false;
    };
  }, [onFailed]);
  return plot?.Plot ?? null;
}

/** Draws the graph. A zoom by drag is reported to `onRange`; the parent passes it back as `range`. */
export function Chart({ onFailed, ...figure }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const Plot = usePlot(onFailed);
  return (
    <>
      {Plot === null && <p className="chart-loading">Drawing graph...</p>}
      <div ref={box} className="chart-drawing">
        {Plot !== null && size !== null && <Drawing Plot={Plot} {...figure} {...size} onFailed={onFailed} />}
      </div>
    </>
  );
}

type DrawingProps = Props & { Plot: Plot; width: number; height: number };

/** Traces and layout stay the same objects until their content changes, because the component redraws for every new object. */
function Drawing({ Plot, lines, hidden, range, hands, interesting, width, height, onRange, onFailed }: DrawingProps) {
  const [revision, setRevision] = useState(0);
  const data = useMemo(() => buildTraces({ lines, hidden, width }), [lines, hidden, width]);
  const frame = useMemo(
    () => buildFrame({ interesting, width, height, drag: !coarsePointer() }),
    [interesting, width, height],
  );
  const drawing = useMemo(
    () => ({ revision, layout: withRanges(frame, { lines, hidden, range, hands }) }),
    [revision, frame, lines, hidden, range, hands],
  );

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

/** A sample of a player's line with its marker, for legends. */
export function LineSample({ index }: { index: number }) {
  const style = lineStyle(index);
  return (
    <svg className="line-sample" viewBox="-20 -8 40 16" aria-hidden="true" focusable="false">
      <path d="M-19 0H19" stroke={style.color} strokeWidth="2.5" strokeDasharray={style.dashPattern} />
      <path d={style.markerPath} fill={style.color} />
    </svg>
  );
}
