import { saveText } from '../lib/download.ts';
import { tokenColor } from '../lib/token-color.ts';
import { buildFrame, buildTraces, type Figure, withRanges } from './figure.ts';
import { handCount, type PlayerSeries } from './series.ts';

// A spreadsheet would run a cell that starts with one of these as a formula.
const FORMULA_START = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats the series as CSV: a row per hand, a column per player, cumulative delta in dollars. */
export function performanceCsv(series: readonly PlayerSeries[]): string {
  const header = ['hand', ...series.map(({ name }) => cell(name))].join(',');
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
export async function savePicture(figure: Figure, gameId: string): Promise<void> {
  const plotly = await import('./plotly.ts');
  const how = { ...PICTURE, legend: true, drag: false, color: tokenColor };
  const url = await plotly.toImage(
    { data: buildTraces(figure, how), layout: withRanges(buildFrame(figure, how), figure) },
    { format: 'png', ...PICTURE },
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = `performance_${gameId}.png`;
  link.click();
}
