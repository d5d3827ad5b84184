import type { PublicFacts } from '@husky/match/commitment';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { saveBlob } from './download.ts';
import { queryKeys } from './query-keys.ts';
import { readStored, store } from './storage.ts';
import type { FileContent } from './types.ts';

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

/** Maximum size of one file of an upload. */
export const MAX_FILE_BYTES = 1024 * 1024;

export type BotFileName = 'player.py' | 'requirements.txt';
export const BOT_FILES: readonly BotFileName[] = ['player.py', 'requirements.txt'];

/** A fault of a file. An 'error' prevents the upload; a 'warning' does not. */
export type Finding = { level: 'error' | 'warning'; text: string };

export function isBotFileName(name: string): name is BotFileName {
  return BOT_FILES.includes(name as BotFileName);
}

/** Checks one file before it is sent. The server decides about everything else (POST /submission/check). */
export function checkBotFile(name: BotFileName, bytes: Uint8Array): Finding[] {
  if (bytes.byteLength > MAX_FILE_BYTES) return [{ level: 'error', text: `${name} is larger than 1 MiB` }];
  if (name !== 'player.py') return [];
  return decodeSource(bytes)?.trim() === '' ? [{ level: 'error', text: 'player.py is empty' }] : [];
}

/** Fetches a stored file's text by its file id. */
export async function fetchFile(fileId: string, signal?: AbortSignal): Promise<FileContent> {
  const file = await api.get('/submission/files/{id}', { params: { id: fileId }, signal });
  // The same path returns the two file ids of a submission when it is given a submission's id.
  if (!('file_data' in file)) throw new Error(`${fileId} is not the id of a file`);
  return file;
}

export function useSubmissionFile(fileId: string | undefined) {
  return useQuery({
    queryKey: queryKeys.file(fileId ?? ''),
    queryFn: ({ signal }) => fetchFile(fileId ?? '', signal),
    enabled: fileId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Downloads a stored file under its name, with the bearer token, which a plain link cannot carry. */
export async function saveSubmissionFile(fileId: string, fileName: string): Promise<void> {
  saveBlob(await api.blob('/submission/file/{id}', { params: { id: fileId } }), fileName);
}

const KEY = 'nonces';
const MOST = 200;

interface Kept {
  readonly botHash: string;
  readonly nonce: string;
}

/** Draws a nonce for an upload, on which the cards of its matches depend (docs/fairness.md). */
export const drawNonce = (): string => hexOf(crypto.getRandomValues(new Uint8Array(32)));

/** Keeps the nonce of an upload in this browser. The oldest of more than 200 is dropped. */
export async function keepNonce(nonce: string, player: File, requirements: File): Promise<void> {
  // Browsers hash on secure origins only.
  if (globalThis.crypto.subtle === undefined) return;
  const hashes = [await sha256(await player.arrayBuffer()), await sha256(await requirements.arrayBuffer())];
  const botHash = hexOf(await sha256(await new Blob(hashes).arrayBuffer()));
  store(KEY, JSON.stringify([...readKept(), { botHash, nonce }].slice(-MOST)));
}

/** Returns what a match's commitment says about the nonces of own uploads; null: no bot in this seat was uploaded from this browser. */
export function ownNonce(facts: PublicFacts, seat: number): string | null {
  const committed = facts.roster[seat];
  const own = readKept().filter(({ botHash }) => botHash === committed?.botHash);
  if (own.length === 0 || facts.seeds === undefined) return null;
  return own.some(({ nonce }) => nonce === committed?.nonce)
    ? 'The cards depend on the nonce of your upload.'
    : 'The nonce of your upload is missing: the cards do not depend on it.';
}

function readKept(): Kept[] {
  try {
    const kept: unknown = JSON.parse(readStored(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Kept[]) : [];
  } catch {
    return [];
  }
}

const sha256 = async (bytes: ArrayBuffer) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export type Template = { name: string; title: string; load: () => Promise<{ player: string; requirements: string }> };

type Load = () => Promise<string>;

const players = import.meta.glob<string>('../../../services/runner/bots/*/player.py', {
  query: '?raw',
  import: 'default',
});
const requirements = import.meta.glob<string>('../../../services/runner/bots/*/requirements.txt', {
  query: '?raw',
  import: 'default',
});

/** Returns 'tight-aggressive' for '…/bots/tight-aggressive/player.py'. */
export function templateName(path: string): string {
  return path.split('/').at(-2) ?? path;
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Example bots as templates, bundled at build time and loaded on selection. */
export const templates: Template[] = Object.entries(players)
  .map(([path, load]): Template => {
    const name = templateName(path);
    const packages: Load | undefined = requirements[path.replace(/player\.py$/, 'requirements.txt')];
    return {
      name,
      title: titleOf(name),
      load: async () => ({ player: await (load as Load)(), requirements: packages ? await packages() : '' }),
    };
  })
  .sort((a, b) => a.name.localeCompare(b.name));
