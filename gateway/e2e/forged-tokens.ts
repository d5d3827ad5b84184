import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { get } from './client.ts';

type Header = Record<string, unknown>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function hmac(header: Header, claims: JWTPayload, key: string | Buffer): string {
  const text = `${part({ typ: 'at+jwt', ...header })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** Tokens that claim what a real one of an admin claims, each made without the platform's key. */
export async function forgedTokens(adminToken: string, otherToken: string): Promise<Record<string, string>> {
  const claims = decodeJwt(adminToken);
  const [jwk] = (await get('/.well-known/jwks.json')).body.keys as JWK[];
  if (!jwk?.x || !jwk.kid) throw new Error('the platform publishes no key');
  const kid = jwk.kid;
  const publicKey = await importJWK(jwk, 'EdDSA', { extractable: true });
  if (publicKey instanceof Uint8Array) throw new Error('the published key is no public key');
  const foreign = await generateKeyPair('EdDSA', { extractable: true });
  const signedBy = (header: Header) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...header }).sign(foreign.privateKey);
  const [head, , signature] = otherToken.split('.');
  return {
    'alg none': `${part({ alg: 'none', typ: 'at+jwt', kid })}.${part(claims)}.`,
    'alg none in capitals': `${part({ alg: 'NONE', typ: 'at+jwt', kid })}.${part(claims)}.`,
    'HS256 by the raw public key': hmac({ alg: 'HS256', kid }, claims, Buffer.from(jwk.x, 'base64url')),
    'HS256 by the public key as PEM': hmac({ alg: 'HS256', kid }, claims, await exportSPKI(publicKey)),
    'a foreign key': await signedBy({ kid }),
    'a foreign key in the header': await signedBy({ kid, jwk: await exportJWK(foreign.publicKey) }),
    'a kid that leads to an empty file': hmac({ alg: 'HS256', kid: '../../../../../../dev/null' }, claims, ''),
    'a kid with SQL': hmac({ alg: 'HS256', kid: "x' UNION SELECT 'secret' --" }, claims, 'secret'),
    'the claims of an admin under the signature of another': `${head}.${part(claims)}.${signature}`,
  };
}

/** A token of the platform's own key for the session of another one, which ended an hour ago. */
export async function expiredToken(token: string, dataDir: string): Promise<string> {
  const jwk = JSON.parse(readFileSync(join(dataDir, 'secrets/access-token-key.json'), 'utf8')) as JWK;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...decodeJwt(token), iat: now - 7200, exp: now - 3600 })
    .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? '', typ: 'at+jwt' })
    .sign(await importJWK(jwk, 'EdDSA'));
}
