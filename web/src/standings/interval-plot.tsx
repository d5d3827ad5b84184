import { useCallback, useMemo, useRef, useState } from 'react';
import { ErrorBox } from '../components/error-box.tsx';
import { tokenColor } from '../lib/token-color.ts';
import { useSeen } from '../lib/use-seen.ts';
import { usePlot, useSize, useThemeChanges } from '../performance/use-plot.ts';
import {
  buildIntervalLayout,
  buildIntervals,
  figureHeight,
  INTERVAL_CONFIG,
  type IntervalFigure,
} from './interval-figure.ts';
import { ESTIMATORS, formatPoints, inUnit } from './points.ts';

// Without a style the component uses inline-block.
const BLOCK = { display: 'block' };

/** Points with their intervals as a plot. Plotly is loaded once the plot comes into view. */
export function IntervalPlot({ players, estimator, unit }: IntervalFigure) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const [failed, setFailed] = useState(false);
  const onFailed = useCallback(() => setFailed(true), []);
  const Plot = usePlot(useSeen(box), onFailed);
  const theme = useThemeChanges();
  const width = size?.width ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again after a change of the theme
  const drawing = useMemo(() => {
    const figure = { players, estimator, unit };
    const how = { width, color: tokenColor };
    return { data: buildIntervals(figure, how), layout: buildIntervalLayout(figure, how) };
  }, [players, estimator, unit, width, theme]);
  if (failed) return <ErrorBox text="The plot could not be loaded." onRetry={() => setFailed(false)} />;
  const points = players.flatMap(({ username, estimates }) => {
    const estimate = estimates[estimator];
    if (estimate === null) return [];
    const { value, low, high } = inUnit(estimate, unit);
    return [`${username} ${formatPoints(value, unit)} (${formatPoints(low, unit)} to ${formatPoints(high, unit)})`];
  });
  return (
    <div
      ref={box}
      role="img"
      aria-label={`${ESTIMATORS[estimator].label} points with 95 % intervals: ${points.join(', ')}`}
      style={{ minHeight: figureHeight(players.length, width) }}
    >
      {Plot !== null && width > 0 && <Plot {...drawing} config={INTERVAL_CONFIG} style={BLOCK} onError={onFailed} />}
    </div>
  );
}
