import type { PublicFacts } from '@husky/match/commitment';
import { readStored, store } from './storage.ts';

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
