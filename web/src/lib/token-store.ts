const STORAGE_KEY = 'token';

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
