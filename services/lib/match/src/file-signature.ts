import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type FileKind, fileText, NoteError, type NoteKey, openNote, UnknownKey } from './signed-note.ts';

// A file is signed with a note in the key `signature`, the last one of its JSON object: the end of a match file, the manifest of an
// archive. The note names the SHA-256 of the file's bytes without this key.

const signature = /,(\s*)"signature":\s*"((?:[^"\\]|\\.)*)"(?=\s*\}\s*$)/;

/** Returns JSON of an object without its key `signature`: the signed bytes. */
export function withoutSignature(json: string): string {
  return json.replace(signature, '');
}

/** Returns the value of the key `signature`; null: there is none. */
export function signatureOf(json: string): string | null {
  const found = signature.exec(json)?.[2];
  return found === undefined ? null : (JSON.parse(`"${found}"`) as string);
}

/** Returns JSON of an object with the key `signature` as its last. Keeps its form: on one line, or indented by one space. */
export function withSignature(json: string, note: string | null): string {
  if (note === null) return json;
  const value = JSON.stringify(note);
  return json.replace(/(\n?)\}(\s*)$/, (_, line: string, rest: string) =>
    line === '' ? `,"signature":${value}}${rest}` : `,\n "signature": ${value}\n}${rest}`,
  );
}

/** Hashes the signed bytes of a match file, line by line. */
export class SignedLines {
  readonly #hash = sha256.create();
  /** The value of `signature`; null: not read yet, or there is none. */
  signature: string | null = null;

  /** Adds a line. `ending`: its line ending. */
  add(line: string, ending: string): void {
    const isEnd = line.startsWith('{"type":"end"') || line.startsWith('# end {');
    if (isEnd) this.signature = signatureOf(line);
    this.#hash.update(utf8ToBytes((isEnd ? withoutSignature(line) : line) + ending));
  }

  /** Returns the SHA-256 as hex. No line can be added afterwards. */
  digest(): string {
    return bytesToHex(this.#hash.digest());
  }
}

/** How a file is signed. `key`: the key that signed it, or says to have. */
export interface FileSignature {
  readonly state: 'signed' | 'unsigned' | 'unknown-key';
  readonly key: string | null;
}

/** Checks the signature of a file with the hash of its signed bytes. Throws NoteError for a wrong one. */
export function checkSignature(
  { signature: note, kind, hash }: { signature: string | null; kind: FileKind; hash: string },
  keys: readonly NoteKey[],
): FileSignature {
  if (note === null) return { state: 'unsigned', key: null };
  try {
    const { text, key } = openNote(note, keys);
    if (text !== fileText(key.name, kind, hash)) throw new NoteError('its signature is that of another content');
    return { state: 'signed', key: key.text };
  } catch (error) {
    if (!(error instanceof UnknownKey)) throw error;
    return { state: 'unknown-key', key: error.signedBy };
  }
}
