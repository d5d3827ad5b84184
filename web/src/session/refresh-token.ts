import { readStored, store } from '../lib/storage.ts';
import { readClaims } from './tokens.ts';

const STORAGE_KEY = 'husky.keycloak';

/** The tokens of one sign-in at Keycloak; only the access token is shared with other tabs. */
export type Tokens = { token: string; refreshToken: string; idToken: string | undefined };
type Stored = { sid: string; refreshToken: string; idToken?: string };

/** Stores the refresh token for this tab: it survives a reload and is deleted with the tab. */
export function storeRefreshToken({ token, refreshToken, idToken }: Tokens): void {
  const { sid } = readClaims(token);
  if (sid === undefined) return;
  const stored: Stored = { sid, refreshToken, ...(idToken === undefined ? {} : { idToken }) };
  // Without storage the silent check at Keycloak renews the token.
  store(STORAGE_KEY, JSON.stringify(stored), 'sessionStorage');
}

/** Returns this tab's refresh token if it belongs to the session of the access token, else null. */
export function storedTokensFor(token: string): Tokens | null {
  try {
    const stored = JSON.parse(readStored(STORAGE_KEY, 'sessionStorage') ?? 'null') as Partial<Stored> | null;
    if (typeof stored?.refreshToken !== 'string' || stored.sid === undefined) return null;
    if (stored.sid !== readClaims(token).sid) return null;
    return { token, refreshToken: stored.refreshToken, idToken: stored.idToken };
  } catch {
    return null;
  }
}

export function clearRefreshToken(): void {
  store(STORAGE_KEY, null, 'sessionStorage');
}
