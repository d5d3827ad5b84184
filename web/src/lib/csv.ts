// A spreadsheet would run a cell that starts with one of these as a formula. Usernames, which may start with a hyphen, keep their form.
const FORMULA = /^[=+@\t\r]|^-(?![\w-]*$)/;

/** Formats a text as a CSV cell. A text that a spreadsheet would run as a formula, and that is no username, gets an apostrophe. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats rows as CSV with a line for each row. Numbers stay numbers; null is an empty cell. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = rows.map((row) => row.map((value) => (typeof value === 'string' ? csvCell(value) : (value ?? ''))));
  return `${lines.map((line) => line.join(',')).join('\n')}\n`;
}
