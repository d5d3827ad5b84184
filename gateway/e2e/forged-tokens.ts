import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { vi } from 'vitest';
import { get } from './client.ts';

interface AppConfig {
  readonly identity: string;
  readonly keycloak?: { readonly url: string; readonly realm: string };
}

type Header = Record<string, unknown>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function hmac(header: Header, claims: JWTPayload, key: string | Buffer): string {
  const text = `${part({ typ: 'at+jwt', ...header })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** Creates tokens with an admin's claims, without a valid signature of the platform's key. Keys describe the forgery. */
export async function forgedTokens(adminToken: string, otherToken: string): Promise<Record<string, string>> {
  const claims = decodeJwt(adminToken);
  const jwk = ((await get('/.well-known/jwks.json')).body.keys as JWK[]).find(({ use }) => use !== 'enc');
  // auth signs with Ed25519, Keycloak with RSA.
  const raw = jwk?.x ?? jwk?.n;
  if (!jwk?.kid || raw === undefined) throw new Error('the platform publishes no key');
  const { kid, alg = 'EdDSA' } = jwk;
  const publicKey = await importJWK(jwk, alg, { extractable: true });
  if (publicKey instanceof Uint8Array) throw new Error('the published key is not a public key');
  const foreign = await generateKeyPair(alg, { extractable: true });
  const signedBy = (header: Header) =>
    new SignJWT(claims).setProtectedHeader({ alg, typ: 'at+jwt', ...header }).sign(foreign.privateKey);
  const [head, , signature] = otherToken.split('.');
  return {
    'alg none': `${part({ alg: 'none', typ: 'at+jwt', kid })}.${part(claims)}.`,
    'alg none in capitals': `${part({ alg: 'NONE', typ: 'at+jwt', kid })}.${part(claims)}.`,
    'HS256 by the raw public key': hmac({ alg: 'HS256', kid }, claims, Buffer.from(raw, 'base64url')),
    'HS256 by the public key as PEM': hmac({ alg: 'HS256', kid }, claims, await exportSPKI(publicKey)),
    'a foreign key': await signedBy({ kid }),
    'a foreign key in the header': await signedBy({ kid, jwk: await exportJWK(foreign.publicKey) }),
    'a kid that is the path of an empty file': hmac({ alg: 'HS256', kid: '../../../../../../dev/null' }, claims, ''),
    'a kid with SQL': hmac({ alg: 'HS256', kid: "x' UNION SELECT 'secret' --" }, claims, 'secret'),
    'the claims of an admin under the signature of another': `${head}.${part(claims)}.${signature}`,
  };
}

/** Creates an expired token of a valid session: with the platform's key, or from Keycloak with a lifetime of 4 s. */
export async function expiredToken(token: string, dataDir: string, signIn: () => Promise<string>): Promise<string> {
  const { identity, keycloak } = (await get('/app-config.json')).body as AppConfig;
  if (identity === 'keycloak' && keycloak) return shortToken(keycloak, dataDir, signIn);
  const jwk = JSON.parse(readFileSync(join(dataDir, 'secrets/access-token-key.json'), 'utf8')) as JWK;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...decodeJwt(token), iat: now - 7200, exp: now - 3600 })
    .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? '', typ: 'at+jwt' })
    .sign(await importJWK(jwk, 'EdDSA'));
}

async function shortToken(
  { url, realm }: NonNullable<AppConfig['keycloak']>,
  dataDir: string,
  signIn: () => Promise<string>,
): Promise<string> {
  const password = readFileSync(join(dataDir, 'secrets/keycloak-admin'), 'utf8').trim();
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'keycloak-admin', password };
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: admin } = (await response.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
  const clients = `${url}/admin/realms/${realm}/clients`;
  const [client] = (await (await fetch(`${clients}?clientId=husky-platform`, { headers })).json()) as {
    id: string;
    attributes: Record<string, string>;
  }[];
  if (!client) throw new Error('the realm has no client husky-platform');
  const save = async (seconds: string | undefined) => {
    const attributes = { ...client.attributes, 'access.token.lifespan': seconds };
    const body = JSON.stringify({ ...client, attributes });
    const saved = await fetch(`${clients}/${client.id}`, { method: 'PUT', headers, body });
    if (!saved.ok) throw new Error(`Keycloak refused the client's settings: ${saved.status}`);
  };
  // The sign-in uses the token itself.
  await save('4');
  let token: string;
  try {
    token = await signIn();
  } finally {
    await save(client.attributes['access.token.lifespan']);
  }
  await vi.waitUntil(() => Date.now() / 1000 > (decodeJwt(token).exp ?? 0) + 1, { timeout: 15_000 });
  return token;
}
