import { readStored, store } from '../lib/storage.ts';

const STORAGE_KEY = 'token';
const SIGNED_OUT_KEY = 'husky.signed-out';

type Listener = () => void;
const listeners = new Set<Listener>();

/** Result of renewing an access token: replaced, session over, or the identity service is unreachable. */
export type Renewed = 'renewed' | 'ended' | 'unreachable';

/** Whether the page is meant for frames of other sites. It has no session then: it shows what everybody may see. */
export const embedded = (globalThis.location as Location | undefined)?.pathname.startsWith('/embed/') === true;

let token: string | null = embedded ? null : (readStored(STORAGE_KEY) ?? null);

function setAndNotify(next: string | null): void {
  token = next;
  for (const listener of listeners) listener();
}

/** Returns the access token of this browser, kept in local storage; null when signed out. */
export function getToken(): string | null {
  return token;
}

/** Stores the token, or removes it if null, and notifies all listeners. */
export function setToken(next: string | null): void {
  store(STORAGE_KEY, next);
  setAndNotify(next);
}

/** Registers a listener for changes of the token; returns the function that removes it. */
export function subscribeToken(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes over a token that another tab stored. Returns whether the event changed the token. */
export function adoptStoredToken(event: StorageEvent): boolean {
  if (event.key !== STORAGE_KEY && event.key !== null) return false;
  const next = readStored(STORAGE_KEY) ?? null;
  if (next === token) return false;
  setAndNotify(next);
  return true;
}

/** Reads the stored token again, without waiting for another tab's storage event. */
export function rereadToken(): void {
  const stored = readStored(STORAGE_KEY);
  if (stored !== undefined && stored !== token) setAndNotify(stored);
}

/** Stores, for other tabs and later visits, whether the user signed out; an expired session does not count. */
export function markSignedOut(signedOut: boolean): void {
  store(SIGNED_OUT_KEY, signedOut ? 'yes' : null);
}

export function isSignedOut(): boolean {
  return typeof readStored(SIGNED_OUT_KEY) === 'string';
}

/** The claims that the web reads from an access token. They are not verified: only the server may trust a token. */
export type Claims = { azp?: string; sub?: string; sid?: string; iat?: number; exp?: number };

/** Returns the claims of a JWT, or an empty object if the text is not one. */
export function readClaims(token: string | null): Claims {
  const payload = token?.split('.')[1];
  if (payload === undefined) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as Claims) : {};
  } catch {
    return {};
  }
}

const REFRESH_TOKEN_KEY = 'husky.keycloak';

/** The tokens of one sign-in at Keycloak; only the access token is shared with other tabs. */
export type Tokens = { token: string; refreshToken: string; idToken: string | undefined };
type Stored = { sid: string; refreshToken: string; idToken?: string };

/** Stores the refresh token for this tab: it survives a reload and is deleted with the tab. */
export function storeRefreshToken({ token, refreshToken, idToken }: Tokens): void {
  const { sid } = readClaims(token);
  if (sid === undefined) return;
  const stored: Stored = { sid, refreshToken, ...(idToken === undefined ? {} : { idToken }) };
  // Without storage the silent check at Keycloak renews the token.
  store(REFRESH_TOKEN_KEY, JSON.stringify(stored), 'sessionStorage');
}

/** Returns this tab's refresh token if it belongs to the session of the access token, else null. */
export function storedTokensFor(token: string): Tokens | null {
  try {
    const stored = JSON.parse(readStored(REFRESH_TOKEN_KEY, 'sessionStorage') ?? 'null') as Partial<Stored> | null;
    if (typeof stored?.refreshToken !== 'string' || stored.sid === undefined) return null;
    if (stored.sid !== readClaims(token).sid) return null;
    return { token, refreshToken: stored.refreshToken, idToken: stored.idToken };
  } catch {
    return null;
  }
}

export function clearRefreshToken(): void {
  store(REFRESH_TOKEN_KEY, null, 'sessionStorage');
}
