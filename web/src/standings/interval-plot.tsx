import { useCallback } from 'react';
import { LazyPlot } from '../performance/lazy-plot.tsx';
import {
  buildIntervalLayout,
  buildIntervals,
  figureHeight,
  INTERVAL_CONFIG,
  type IntervalFigure,
} from './interval-figure.ts';
import { ESTIMATORS, formatPoints, inUnit } from './points.ts';

/** Draws points with their intervals. */
export function IntervalPlot({ players, estimator, unit }: IntervalFigure) {
  const build = useCallback(
    (options: Parameters<typeof buildIntervals>[1]) => {
      const figure = { players, estimator, unit };
      return { data: buildIntervals(figure, options), layout: buildIntervalLayout(figure, options) };
    },
    [players, estimator, unit],
  );
  const points = players.flatMap(({ username, estimates }) => {
    const estimate = estimates[estimator];
    if (estimate === null) return [];
    const { value, low, high } = inUnit(estimate, unit);
    return [`${username} ${formatPoints(value, unit)} (${formatPoints(low, unit)} to ${formatPoints(high, unit)})`];
  });
  return (
    <LazyPlot
      label={`${ESTIMATORS[estimator].label} points with 95 % intervals: ${points.join(', ')}`}
      build={build}
      config={INTERVAL_CONFIG}
      minHeight={(width) => figureHeight(players.length, width)}
    />
  );
}
