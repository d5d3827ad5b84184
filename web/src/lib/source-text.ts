// PEP 263: in the first line, or in the second one behind a comment or an empty line.
const CODING = /^(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)/;

/** Decodes a file by its byte order mark or its coding line; null if the browser cannot. */
export function decodeSource(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 2000));
  const mark = { '\u00ff\u00fe': 'utf-16le', '\u00fe\u00ff': 'utf-16be' }[start.slice(0, 2)];
  const name = CODING.exec(start.replace(/^\u00ef\u00bb\u00bf/, ''))?.[1]?.toLowerCase() ?? 'utf-8';
  // Python's names and those of editors: latin-1-unix, iso_8859_1, shift_jis.
  const plain = name.replaceAll('_', '-').replace(/^(utf-8|latin-1|iso-8859-1)-.*/, '$1');
  for (const label of mark === undefined ? [plain, plain.replaceAll('-', ''), name] : [mark]) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // Another name may be known.
    }
  }
  return null;
}
