import { readClaims } from './token-claims.ts';

const STORAGE_KEY = 'husky.keycloak';

/** What Keycloak gives for one sign-in; only the access token is shared with the other tabs. */
export type Tokens = { token: string; refreshToken: string; idToken: string | undefined };
type Kept = { sid: string; refreshToken: string; idToken?: string };

/** Keeps the refresh token for this tab: it survives a reload and ends with the tab. */
export function keepTokens({ token, refreshToken, idToken }: Tokens): void {
  const { sid } = readClaims(token);
  if (sid === undefined) return;
  const kept: Kept = { sid, refreshToken, ...(idToken === undefined ? {} : { idToken }) };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    return; // Without storage the silent check at Keycloak has to renew the token.
  }
}

/** The refresh token that belongs to the session of this access token, if this tab holds one. */
export function keptTokensFor(token: string): Tokens | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<Kept> | null;
    if (typeof kept?.refreshToken !== 'string' || kept.sid === undefined) return null;
    if (kept.sid !== readClaims(token).sid) return null;
    return { token, refreshToken: kept.refreshToken, idToken: kept.idToken };
  } catch {
    return null;
  }
}

export function forgetKeptTokens(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    return;
  }
}
