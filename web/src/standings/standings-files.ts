import { csvText, saveText } from '../lib/download.ts';
import { tokenColor } from '../lib/theme.ts';
import type { Pairs } from '../lib/types.ts';
import { savePng } from '../performance/save-png.ts';
import { buildIntervalLayout, buildIntervals, type IntervalFigure } from './interval-plot.tsx';
import { buildHeatMap } from './pair-matrix.tsx';

/** Formats the matrix of pairs as CSV: a row for each ordered pair. */
export function pairsCsv({ usernames, better, hands_needed, estimator }: Pairs): string {
  const rows = usernames.flatMap((player, row) =>
    usernames.flatMap((opponent, column) =>
      row === column
        ? []
        : [[player, opponent, estimator, better[row]?.[column] ?? null, hands_needed[row]?.[column] ?? null]],
    ),
  );
  return csvText([['player', 'opponent', 'estimator', 'probability_better', 'hands_needed'], ...rows]);
}

export function savePairsCsv(pairs: Pairs, name: string): void {
  saveText(pairsCsv(pairs), `pairs-${name}.csv`, 'text/csv');
}

/** Draws the points with their intervals in a fixed width and saves them as a picture. Rejects if they cannot be drawn. */
export function saveIntervalPicture(figure: IntervalFigure, name: string): Promise<void> {
  const options = { width: 1200, color: tokenColor, picture: true };
  const layout = buildIntervalLayout(figure, options);
  const drawing = { data: buildIntervals(figure, options), layout };
  return savePng(
    async () => (await import('../performance/plotly.ts')).toImage,
    drawing,
    layout,
    `standings-${name}.png`,
  );
}

/** Draws the matrix of pairs as a heat map and saves it as a picture. Rejects if it cannot be drawn. */
export function saveHeatMapPicture(pairs: Pairs, name: string): Promise<void> {
  const { data, layout, width, height } = buildHeatMap(pairs, tokenColor);
  const load = async () => (await import('../performance/plotly-heat-map.ts')).toImage;
  return savePng(load, { data, layout }, { width, height }, `pairs-${name}.png`);
}
