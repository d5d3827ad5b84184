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

// Without a style of ours the component would lay itself out as inline-block.
const BLOCK = { display: 'block' };

const coarsePointer = () => window.matchMedia('(pointer: coarse)').matches;

/** The size of an element in whole pixels, kept up to date; null before it is known, and the last one while it is not shown. */
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

/** The component of react-plotly.js once its file is there. */
function usePlot(onFailed: () => void): Plot | null {
  const [plot, setPlot] = useState<{ Plot: Plot } | null>(null);
  useEffect(() => {
    let wanted = true;
    import('./plotly.ts').then(
      (loaded) => wanted && setPlot({ Plot: loaded.Plot }),
      () => wanted && onFailed(),
    );
    return () => {
      wanted = false;
    };
  }, [onFailed]);
  return plot?.Plot ?? null;
}

/** The drawing itself. Zooming by drag goes out as a range and comes back as a property. */
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

/** Its traces and its layout stay the same objects until what they show changes, which is what lets plotly draw. */
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
      // What plotly zoomed to by itself lies between hands: the whole ones are drawn, or what was there before.
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
