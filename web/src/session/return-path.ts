import { readStored, store } from '../lib/storage.ts';

const STORAGE_KEY = 'husky.return-place';
const MAX_AGE_MS = 60 * 60 * 1000;

type Stored = { path: string; savedAt: number };

/** Returns whether the value is a path of this app, not the address of another origin ('//host' is one). */
export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('/') && !path.startsWith('//') && !path.includes('\\');
}

/** Returns the stored path, or null if there is none, it is older than an hour or it is not a path of this app. */
export function parseReturnPath(stored: string | null, now: number): string | null {
  if (stored === null) return null;
  try {
    const { path, savedAt } = (JSON.parse(stored) ?? {}) as Partial<Stored>;
    const age = now - Number(savedAt);
    return isOwnPath(path) && age >= 0 && age < MAX_AGE_MS ? path : null;
  } catch {
    return null;
  }
}

/** Saves the path requested before the login, in local storage because the mailed link opens another tab. */
export function saveReturnPath(path: string): void {
  if (!isOwnPath(path)) return;
  // Without storage the router's state still carries the path.
  store(STORAGE_KEY, JSON.stringify({ path, savedAt: Date.now() } satisfies Stored));
}

export function loadReturnPath(): string | null {
  return parseReturnPath(readStored(STORAGE_KEY) ?? null, Date.now());
}

export function clearReturnPath(): void {
  store(STORAGE_KEY, null);
}
