import iconv from 'iconv-lite';
import type { MultipartForm, UploadedFile } from '../http/multipart.ts';

// PEP 263: in the first line, or in the second one behind a comment or an empty line.
const coding = /^(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)/;
// Editors write utf-8-unix; Python reads only these prefixes.
const prefixed = /^(utf-8|latin-1|iso-8859-1|iso-latin-1)(-|$)/;
const marks: readonly [mark: readonly number[], encoding: string][] = [
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Decodes a file of a bot by its byte order mark or coding line, as the check of uploads does (services/submission/checker/source_text.py). */
export function sourceText(bytes: Buffer): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1];
  return iconv.decode(bytes, marked ?? declaredEncoding(bytes));
}

function declaredEncoding(bytes: Buffer): string {
  const start = bytes
    .subarray(0, 2000)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '');
  const name = coding.exec(start)?.[1]?.toLowerCase().replaceAll('_', '-') ?? 'utf-8';
  const known = prefixed.exec(name)?.[1];
  if (known !== undefined) return known === 'utf-8' ? 'utf8' : 'latin1';
  return iconv.encodingExists(name) ? name : 'utf8';
}

const playerFile = 'player.py';
const requirementsFile = 'requirements.txt';

/** Creates the upload form of a bot: its two files, with the form fields accepted for each. */
export function botForm(playerFields: readonly string[], requirementsFields: readonly string[]): MultipartForm {
  return {
    files: { [playerFile]: playerFields, [requirementsFile]: requirementsFields },
    missing: `Both ${playerFile} and ${requirementsFile} must be provided`,
  };
}

/** Returns the two files of an upload that matched `botForm`. */
export function botFilesOf(files: ReadonlyMap<string, UploadedFile>): { playerFile: Buffer; requirementsFile: Buffer } {
  const dataOf = (name: string) => files.get(name)?.data ?? Buffer.alloc(0);
  return { playerFile: dataOf(playerFile), requirementsFile: dataOf(requirementsFile) };
}
