type Kind = 'localStorage' | 'sessionStorage';

/** Returns a stored text; null if there is none, undefined if the browser denies storage, as in a frame of another site. */
export function readStored(key: string, kind: Kind = 'localStorage'): string | null | undefined {
  try {
    return globalThis[kind].getItem(key);
  } catch {
    return undefined;
  }
}

/** Stores a text, or removes it if null. No-op if the storage is denied or full: callers keep the value while the page is open. */
export function store(key: string, text: string | null, kind: Kind = 'localStorage'): void {
  try {
    if (text === null) globalThis[kind].removeItem(key);
    else globalThis[kind].setItem(key, text);
  } catch {
    return;
  }
}
