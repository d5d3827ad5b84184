import { handCount, type PlayerSeries } from './series.ts';

// A spreadsheet would run a cell that starts with one of these as a formula.
const FORMULA_START = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The raw series as CSV: a row per hand, a column per player, cumulative delta in dollars. */
export function performanceCsv(series: readonly PlayerSeries[]): string {
  const header = ['hand', ...series.map(({ name }) => cell(name))].join(',');
  const rows = Array.from({ length: handCount(series) }, (_, hand) =>
    [hand + 1, ...series.map(({ values }) => values[hand] ?? '')].join(','),
  );
  return `${[header, ...rows].join('\n')}\n`;
}
