import { DomainError } from '@husky/runtime/errors';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';

/** An access token and its session end this long after sign-in. */
export const sessionSeconds = 12 * 3600;

const issuer = 'husky-holdem';

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
}

export interface AccessTokens {
  issue(claims: AccessClaims, issuedAtMs: number): Promise<string>;
  /** The claims of a token that we signed and that has not expired; otherwise UNAUTHENTICATED. */
  read(token: string, nowMs: number): Promise<AccessClaims>;
  /** The public keys. */
  readonly jwks: JSONWebKeySet;
}

export function invalidToken(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'invalid-token', 'Invalid or expired token');
}

/** Ed25519 keys as JWKs with their private part: the first one signs, each one verifies. */
export async function createAccessTokens(keys: readonly JWK[]): Promise<AccessTokens> {
  const named = await Promise.all(keys.map(withKeyId));
  const [current] = named;
  if (!current?.d) throw new Error('No private key signs access tokens: a JWK with its private part is needed');
  const signingKey = (await importJWK(current, 'EdDSA')) as CryptoKey;
  const jwks: JSONWebKeySet = { keys: named.map(publicPart) };
  const lookUp = createLocalJWKSet(jwks);
  return {
    jwks,
    issue: ({ userId, sessionId }, issuedAtMs) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'EdDSA', kid: current.kid ?? '', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setSubject(userId)
        .setIssuedAt(new Date(issuedAtMs))
        .setExpirationTime(new Date(issuedAtMs + sessionSeconds * 1000))
        .sign(signingKey),
    async read(token, nowMs) {
      try {
        const { payload } = await jwtVerify(token, lookUp, {
          issuer,
          algorithms: ['EdDSA'],
          typ: 'at+jwt',
          currentDate: new Date(nowMs),
          requiredClaims: ['exp', 'sub', 'sid'],
        });
        return { userId: String(payload.sub), sessionId: String(payload.sid) };
      } catch {
        // Whatever is wrong with it, its bearer learns the same.
        throw invalidToken();
      }
    },
  };
}

export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return withKeyId(await exportJWK(privateKey));
}

/** The keys of a file's text: a JWK or a JWK set. */
export function parseSigningKeys(text: string): JWK[] {
  const given = JSON.parse(text) as JWK | JSONWebKeySet;
  return 'keys' in given && Array.isArray(given.keys) ? given.keys : [given as JWK];
}

async function withKeyId(key: JWK): Promise<JWK> {
  if (key.kty !== 'OKP' || key.crv !== 'Ed25519') throw new Error('Access tokens are signed with Ed25519 keys only');
  return { ...key, kid: key.kid ?? (await calculateJwkThumbprint(key)), alg: 'EdDSA', use: 'sig' };
}

function publicPart({ kty, crv, x, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, kid, alg, use } as JWK;
}
