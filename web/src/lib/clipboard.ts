import { logFailure } from './log.ts';

/** Copies to the clipboard. Logs and returns false if the browser refuses (insecure origin, no permission). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (copyBySelection(text)) return true;
    logFailure('Copying to the clipboard failed', error);
    return false;
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.cssText = 'position:fixed;opacity:0';
  // While a dialog is open, a selection outside it would be inert.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
