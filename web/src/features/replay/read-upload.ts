import { LARGEST_FILE_BYTES, NOT_A_JSON_FILE, type ParseResult, parseGameText } from '../../table/parse-game.ts';

const BYTES_PER_MIB = 1024 * 1024;

export type UploadedFile = { name: string; type: string; size: number; text: () => Promise<string> };

/** Reads a chosen file as a hand's log. A file too large to be one is refused before it is read. */
export async function readUpload(file: UploadedFile): Promise<ParseResult> {
  if (file.type !== 'application/json' && !file.name.toLowerCase().endsWith('.json')) {
    return { ok: false, error: NOT_A_JSON_FILE, detail: '' };
  }
  if (file.size > LARGEST_FILE_BYTES) {
    const detail = `The file has ${Math.round(file.size / BYTES_PER_MIB)} MB; the log of one hand has at most ${LARGEST_FILE_BYTES / BYTES_PER_MIB} MB.`;
    return { ok: false, error: NOT_A_JSON_FILE, detail };
  }
  try {
    return parseGameText(await file.text());
  } catch {
    // The file was moved or changed since it was chosen.
    return { ok: false, error: NOT_A_JSON_FILE, detail: 'The file could not be read.' };
  }
}
