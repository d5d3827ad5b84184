/** Timeout of a download that the browser holds in memory until it has arrived, as private archives. */
export const DOWNLOAD_TIMEOUT_MS = 60 * 60 * 1000;

/** Saves a file with the browser's download. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function saveText(text: string, fileName: string, type = 'text/plain'): void {
  saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}

/**
 * Lets the browser download a public file straight to disk, under the name that the server gives it. Returns false if the server
 * refuses the file to callers without a token.
 */
export async function startDownload(path: string): Promise<boolean> {
  const probe = await fetch(path, { method: 'HEAD', headers: { Accept: 'application/octet-stream' } });
  if (!probe.ok) return false;
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
  return true;
}

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
