import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

// Signed notes with Ed25519 (https://c2sp.org/signed-note), and the texts that the platform signs. Each kind of text has another first
// line, so that no text can be taken for one of another kind.

/** A reason why a note says nothing. The message is a clause. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
}

/** A public key. `text`: as signed-note writes it, NAME+ID+KEY. `id`: 8 hex digits. */
export interface NoteKey {
  readonly text: string;
  readonly name: string;
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface NoteSigner {
  readonly key: NoteKey;
  sign(text: Uint8Array): Uint8Array;
}

const ed25519Type = 1;
const keyBytes = 32;
const idBytes = 4;
const signatureBytes = 64;
const hashDigits = 64;

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new NoteError('it is not base64');
  }
}

/** Returns the key with these 32 bytes. `name`: without spaces and +. */
export function noteKey(name: string, bytes: Uint8Array): NoteKey {
  const typed = concatBytes(Uint8Array.of(ed25519Type), bytes);
  const id = bytesToHex(sha256(concatBytes(utf8ToBytes(`${name}\n`), typed)).subarray(0, idBytes));
  return { text: `${name}+${id}+${base64(typed)}`, name, id, bytes };
}

/** Reads a key. Throws NoteError for another form. */
export function parseKey(text: string): NoteKey {
  const [, name = '', encoded = ''] = /^([^\s+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const typed = fromBase64(encoded);
  const key = noteKey(name, typed.subarray(1));
  if (typed[0] !== ed25519Type || key.bytes.length !== keyBytes || key.text !== text)
    throw new NoteError(`'${text}' is no key`);
  return key;
}

/** Returns the note of a text, which ends with a line feed. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  const lines = signers.map(
    ({ key, sign }) => `— ${key.name} ${base64(concatBytes(hexToBytes(key.id), sign(utf8ToBytes(text))))}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/** A note: its text, and who says to have signed it. */
export interface OpenNote {
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly id: string; readonly bytes: Uint8Array }[];
}

/** Reads a note without checking its signatures. Throws NoteError for another form. */
export function parseNote(note: string): OpenNote {
  const end = note.lastIndexOf('\n\n');
  const lines = end < 0 ? [] : note.slice(end + 2).split('\n');
  if (lines.length < 2 || lines.pop() !== '') throw new NoteError('it is no signed note');
  const signatures = lines.map((line) => {
    const [, name = '', encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (bytes.length !== idBytes + signatureBytes) throw new NoteError('it is no signed note');
    return { name, id: bytesToHex(bytes.subarray(0, idBytes)), bytes: bytes.subarray(idBytes) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** Thrown if none of the given keys has signed a note. `signedBy`: NAME+ID of the keys that have, by their own account. */
export class UnknownKey extends NoteError {
  readonly signedBy: string;
  constructor(signedBy: string) {
    super(`it is signed by the key ${signedBy}, which is not known here`);
    this.signedBy = signedBy;
  }
}

/** Returns the text of a note and the key that signed it, the first of `keys` that did. Throws NoteError for a wrong signature, UnknownKey. */
export function openNote(note: string, keys: readonly NoteKey[]): { text: string; key: NoteKey } {
  const { text, signatures } = parseNote(note);
  const found = keys.flatMap((key) => {
    const own = signatures.find(({ name, id }) => name === key.name && id === key.id);
    if (own === undefined) return [];
    if (!isSigned(own.bytes, text, key)) throw new NoteError(`the signature of the key ${key.name}+${key.id} is wrong`);
    return [key];
  });
  if (found[0] !== undefined) return { text, key: found[0] };
  throw new UnknownKey(signatures.map(({ name, id }) => `${name}+${id}`).join(' and '));
}

function isSigned(signature: Uint8Array, text: string, key: NoteKey): boolean {
  try {
    return ed25519.verify(signature, utf8ToBytes(text), key.bytes, { zip215: false });
  } catch {
    return false;
  }
}

/** Number and hash (hex) of the newest record of a chain. */
export interface Head {
  readonly number: number;
  readonly hash: string;
}

/** Returns the text of a checkpoint (https://c2sp.org/tlog-checkpoint). Its root hash is the hash of the newest record. */
export function headText(name: string, { number, hash }: Head): string {
  return `${name}\n${number}\n${base64(hexToBytes(hash))}\n`;
}

/** Returns the head of a signed checkpoint. Throws NoteError, and UnknownKey if none of these keys signed it. */
export function openHead(note: string, keys: readonly NoteKey[]): Head & { readonly key: NoteKey } {
  const { text, key } = openNote(note, keys);
  const [name, size = '', root = ''] = text.split('\n');
  const head = { number: Number(size), hash: bytesToHex(fromBase64(root)) };
  const isHead = /^[1-9]\d{0,14}$/.test(size) && head.hash.length === hashDigits && name === key.name;
  if (!isHead || headText(key.name, head) !== text) throw new NoteError('it is signed, but is no head of a chain');
  return { ...head, key };
}

/** What a signed manifest belongs to. */
export const fileKinds = ['match', 'batch', 'export', 'tournament'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Returns the text that is signed for a file. `hash`: hex SHA-256. */
export function fileText(name: string, kind: FileKind, hash: string): string {
  return `${name}/file\n${kind}\n${hash}\n`;
}

/** Returns the text by which a key names the one that replaces it. Both sign it. */
export function keyChangeText(name: string, next: NoteKey, time: string): string {
  return `${name}/key\n${next.text}\n${time}\n`;
}

/** A published key: `change` is the note by which the key before named it; null for the first key. */
export interface PublishedKey {
  readonly key: string;
  readonly change: string | null;
}

/**
 * Returns the keys that whoever trusts `known` can trust too: those of `published` that follow it, each named in a note that the one before and itself
 * have signed. Empty if `known` is not published any more. Throws NoteError for a false change.
 */
export function followKeys(known: NoteKey, published: readonly PublishedKey[]): NoteKey[] {
  const start = published.findIndex(({ key }) => key === known.text);
  if (start < 0) return [];
  const trusted = [known];
  for (const { key: text, change } of published.slice(start + 1)) {
    const before = trusted.at(-1) ?? known;
    const next = parseKey(text);
    const note = change ?? '';
    const opened = openNote(note, [before]);
    openNote(note, [next]);
    const time = opened.text.split('\n')[2] ?? '';
    if (opened.text !== keyChangeText(known.name, next, time)) throw new NoteError(`it does not name the key ${text}`);
    trusted.push(next);
  }
  return trusted;
}
