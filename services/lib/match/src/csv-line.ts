/**
 * Formats a line of CSV (RFC 4180): texts are quoted, numbers are not, null is an empty cell. Texts keep their form, so that programs can
 * join files by names; with `spreadsheet` one that a spreadsheet would evaluate as a formula gets an apostrophe.
 */
export function csvLine(cells: readonly unknown[], { spreadsheet = false } = {}): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell, spreadsheet))).join(',')}\r\n`;
}

/** Splits a line that `csvLine` wrote into its cells, without quotes. */
export function csvCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

function csvCell(value: unknown, spreadsheet: boolean): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cell = spreadsheet && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${cell.replaceAll('"', '""')}"`;
}
