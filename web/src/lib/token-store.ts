const STORAGE_KEY = 'token';
const SIGNED_OUT_KEY = 'husky.signed-out';

type Listener = () => void;
const listeners = new Set<Listener>();

function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

let token: string | null = readStored();

function announce(): void {
  for (const listener of listeners) listener();
}

/** The bearer token of this browser, kept in local storage; null when signed out. */
export function getToken(): string | null {
  return token;
}

/** Stores the token, or removes it with null, and tells every listener. */
export function setToken(next: string | null): void {
  token = next;
  try {
    if (next === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Storage may be blocked; the token then lives as long as the page.
    announce();
    return;
  }
  announce();
}

export function subscribeToken(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes over what another tab stored; tells whether the event was about the token at all. */
export function adoptStoredToken(event: StorageEvent): boolean {
  if (event.key !== STORAGE_KEY && event.key !== null) return false;
  const next = readStored();
  if (next === token) return false;
  token = next;
  announce();
  return true;
}

/** Takes over what lies in storage now, before another tab's event has come. */
export function rereadToken(): void {
  let stored: string | null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    return;
  }
  if (stored === token) return;
  token = stored;
  announce();
}

/** Notes, for the other tabs and the next visit, whether somebody left of their own will; a session that ended did not. */
export function markSignedOut(signedOut: boolean): void {
  try {
    if (signedOut) localStorage.setItem(SIGNED_OUT_KEY, 'yes');
    else localStorage.removeItem(SIGNED_OUT_KEY);
  } catch {
    return; // Without storage there are no other tabs to tell.
  }
}

export function isSignedOut(): boolean {
  try {
    return localStorage.getItem(SIGNED_OUT_KEY) !== null;
  } catch {
    return false;
  }
}
