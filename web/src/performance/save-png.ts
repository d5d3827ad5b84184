import { csvCell, saveText } from '../lib/download.ts';
import { tokenColor } from '../lib/theme.ts';
import { buildFrame, buildTraces, type Figure, withRanges } from './figure.ts';
import { handCount, type PlayerSeries } from './series.ts';

type ToImage = typeof import('./plotly.ts').toImage;
type Drawing = Parameters<ToImage>[0];
type Size = { width: number; height: number };

/** Draws a figure with the plotly that `load` fetches and saves it as a PNG. Rejects if it cannot be loaded or drawn. */
export async function savePng(load: () => Promise<ToImage>, drawing: Drawing, size: Size, fileName: string) {
  const toImage = await load();
  const url = await toImage(drawing, { format: 'png', ...size });
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

/** Formats the series as CSV: a row per hand, a column per player, cumulative delta in dollars. */
export function performanceCsv(series: readonly PlayerSeries[]): string {
  const header = ['hand', ...series.map(({ name }) => csvCell(name))].join(',');
  const rows = Array.from({ length: handCount(series) }, (_, hand) =>
    [hand + 1, ...series.map(({ values }) => values[hand] ?? '')].join(','),
  );
  return `${[header, ...rows].join('\n')}\n`;
}

const PICTURE = { width: 1600, height: 900 };

export function saveCsv(series: readonly PlayerSeries[], gameId: string): void {
  saveText(performanceCsv(series), `performance_${gameId}.csv`, 'text/csv');
}

/** Draws the figure in a fixed size with its legend and saves it as a picture. Rejects if it cannot be drawn. */
export function savePicture(figure: Figure, gameId: string): Promise<void> {
  const options = { ...PICTURE, legend: true, drag: false, color: tokenColor };
  const drawing = { data: buildTraces(figure, options), layout: withRanges(buildFrame(figure, options), figure) };
  return savePng(async () => (await import('./plotly.ts')).toImage, drawing, PICTURE, `performance_${gameId}.png`);
}
