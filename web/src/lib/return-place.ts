const STORAGE_KEY = 'husky.return-place';
const KEPT_MS = 60 * 60 * 1000;

type Kept = { path: string; savedAt: number };

/** Only a path of this app may be returned to, never another origin ('//host' is one). */
export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('/') && !path.startsWith('//') && !path.includes('\\');
}

/** The kept path, or null where there is none, it is over an hour old or it is not a path of ours. */
export function parseKept(stored: string | null, now: number): string | null {
  if (stored === null) return null;
  try {
    const kept = JSON.parse(stored) as Partial<Kept> | null;
    const age = now - Number(kept?.savedAt);
    return isOwnPath(kept?.path) && age >= 0 && age < KEPT_MS ? kept.path : null;
  } catch {
    return null;
  }
}

/** Keeps the place asked for before the login. It lies in local storage since the mailed link opens another tab. */
export function keepReturnPlace(path: string): void {
  if (!isOwnPath(path)) return;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ path, savedAt: Date.now() } satisfies Kept));
  } catch {
    return; // Without storage the router's state still carries the place.
  }
}

export function readReturnPlace(): string | null {
  try {
    return parseKept(localStorage.getItem(STORAGE_KEY), Date.now());
  } catch {
    return null;
  }
}

export function clearReturnPlace(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    return;
  }
}
