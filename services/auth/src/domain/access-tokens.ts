import { DomainError } from '@husky/runtime/rpc/errors';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';

/** Lifetime of an access token and its session, in seconds. */
export const sessionSeconds = 12 * 3600;

const issuer = 'husky-holdem';

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
}

export interface AccessTokens {
  issue(claims: AccessClaims, issuedAtMs: number): Promise<string>;
  /** Returns the claims; throws UNAUTHENTICATED unless we signed the token and it has not expired. */
  read(token: string, nowMs: number): Promise<AccessClaims>;
  /** Returns the public keys. */
  jwks(): Promise<JSONWebKeySet>;
}

/** Returns the current keys with their private parts: the first signs, all verify. `unknown-key` requests a fresh read. */
export type SigningKeySource = (reason: 'use' | 'unknown-key') => Promise<readonly JWK[]>;

interface KeySet {
  readonly kid: string;
  readonly signingKey: CryptoKey;
  readonly jwks: JSONWebKeySet;
  readonly verificationKeys: ReturnType<typeof createLocalJWKSet>;
}

export function invalidToken(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'invalid-token', 'Invalid or expired token');
}

async function prepare(keys: readonly JWK[]): Promise<KeySet> {
  const named = await Promise.all(keys.map(withKeyId));
  const [current] = named;
  if (!current) throw new Error('No key signs access tokens');
  const jwks: JSONWebKeySet = { keys: named.map(publicPart) };
  const signingKey = (await importJWK(current, 'EdDSA')) as CryptoKey;
  return { kid: current.kid ?? '', signingKey, jwks, verificationKeys: createLocalJWKSet(jwks) };
}

/** Issues and verifies tokens with Ed25519 keys that may rotate. The source must return the same array while its keys are unchanged. */
export function createAccessTokens(source: SigningKeySource): AccessTokens {
  let prepared: { readonly keys: readonly JWK[]; readonly set: Promise<KeySet> } | undefined;
  async function keySet(reason: 'use' | 'unknown-key'): Promise<KeySet> {
    const keys = await source(reason);
    if (prepared?.keys !== keys) prepared = { keys, set: prepare(keys) };
    return prepared.set;
  }
  async function keySetFor(token: string): Promise<KeySet> {
    const { kid } = decodeProtectedHeader(token);
    const set = await keySet('use');
    return set.jwks.keys.some((key) => key.kid === kid) ? set : keySet('unknown-key');
  }
  return {
    jwks: async () => (await keySet('use')).jwks,
    async issue({ userId, sessionId }, issuedAtMs) {
      const { kid, signingKey } = await keySet('use');
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setSubject(userId)
        .setIssuedAt(new Date(issuedAtMs))
        .setExpirationTime(new Date(issuedAtMs + sessionSeconds * 1000))
        .sign(signingKey);
    },
    async read(token, nowMs) {
      const set = isCompact(token) ? await keySetFor(token) : undefined;
      if (!set) throw invalidToken();
      try {
        const { payload } = await jwtVerify(token, set.verificationKeys, {
          issuer,
          algorithms: ['EdDSA'],
          typ: 'at+jwt',
          currentDate: new Date(nowMs),
          requiredClaims: ['exp', 'sub', 'sid'],
        });
        return { userId: String(payload.sub), sessionId: String(payload.sid) };
      } catch {
        // The bearer learns nothing about the reason.
        throw invalidToken();
      }
    },
  };
}

function isCompact(token: string): boolean {
  try {
    decodeProtectedHeader(token);
    return true;
  } catch {
    return false;
  }
}

export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return withKeyId(await exportJWK(privateKey));
}

/** Parses a JWK or a JWK set; the first key must have its private part. Throws for keys other than Ed25519. */
export function parseSigningKeys(text: string): JWK[] {
  const given = JSON.parse(text) as JWK | JSONWebKeySet;
  const keys = 'keys' in given && Array.isArray(given.keys) ? given.keys : [given as JWK];
  if (!keys[0]?.d) throw new Error('No private key signs access tokens: a JWK with its private part is needed');
  for (const key of keys) requireEd25519(key);
  return keys;
}

function requireEd25519({ kty, crv }: JWK): void {
  if (kty !== 'OKP' || crv !== 'Ed25519') throw new Error('Access tokens are signed with Ed25519 keys only');
}

async function withKeyId(key: JWK): Promise<JWK> {
  requireEd25519(key);
  return { ...key, kid: key.kid ?? (await calculateJwkThumbprint(key)), alg: 'EdDSA', use: 'sig' };
}

function publicPart({ kty, crv, x, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, kid, alg, use } as JWK;
}
