/** What the web reads of an access token. Nothing is verified here: only the server may trust a token. */
export type Claims = { azp?: string; sub?: string; sid?: string; iat?: number; exp?: number };

/** The claims of a JWT; empty where the text is none. */
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
