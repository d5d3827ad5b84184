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
