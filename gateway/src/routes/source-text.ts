import iconv from 'iconv-lite';

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
