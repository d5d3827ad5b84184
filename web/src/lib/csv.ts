// A spreadsheet would run a cell that starts with one of these as a formula.
const FORMULA_START = /^[=+\-@\t\r]/;

/** Formats a text as a CSV cell. A text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats rows as CSV with a line for each row. Numbers stay numbers; null is an empty cell. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = rows.map((row) => row.map((value) => (typeof value === 'string' ? csvCell(value) : (value ?? ''))));
  return `${lines.map((line) => line.join(',')).join('\n')}\n`;
}
