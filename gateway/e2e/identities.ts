import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '@husky/runtime/rpc/caller';
import { createSigner, type IdentitySigner } from '@husky/runtime/rpc/identity';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { inject } from 'vitest';
import type { Stranger } from './rpc-access.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const identityFolder = () => join(inject('platform').dataDir, 'secrets/identities');
export const keyFile = (issuer: string) => join(identityFolder(), `${issuer}.key.json`);

export function readKey(issuer: string): JWK {
  return (JSON.parse(readFileSync(keyFile(issuer), 'utf8')) as { key: JWK }).key;
}

const signers = new Map<string, IdentitySigner>();

/** Signs an identity as the platform's services do. */
export function identity(issuer: string, audience: string, caller: Caller): Promise<string> {
  const signer = signers.get(issuer) ?? createSigner(keyFile(issuer));
  signers.set(issuer, signer);
  return signer.sign(audience, caller);
}

export function userCaller(
  username: string,
  more: { verified?: boolean; admin?: boolean; scopes?: readonly string[] } = {},
): Caller {
  return { kind: 'user', id: randomUUID(), username, admin: false, verified: true, ...more };
}

export const admin = userCaller('admin', { admin: true });

/** A well-formed lease of a match that does not exist. */
const otherLease: Caller = { kind: 'lease', jobId: randomUUID(), attempt: 1, runner: 'other', reads: ['f'.repeat(64)] };

/** Returns a caller of a kind. It owns nothing. */
export function callerOf(stranger: Stranger): Caller {
  switch (stranger) {
    case 'anonymous':
      return { kind: 'anonymous' };
    case 'unverified':
      return userCaller('unverified', { verified: false });
    case 'verified':
      return userCaller('stranger');
    case 'access token':
      return userCaller('program', { scopes: ['read', 'submit'] });
    case 'runner':
      return { kind: 'runner', name: 'stranger' };
    case 'lease':
      return otherLease;
    default:
      return { kind: 'service', name: stranger };
  }
}

const issuers = { user: 'gateway', anonymous: 'gateway', lease: 'simulation', runner: 'runner' };

export function strangerIdentity(stranger: Stranger, audience: string): Promise<string> {
  const caller = callerOf(stranger);
  return identity(caller.kind === 'service' ? caller.name : issuers[caller.kind], audience, caller);
}

interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly kind: string;
  readonly who: object;
  readonly iat?: number;
  readonly exp?: number;
}

/** Creates invalid identities with an admin's claims. Keys describe the defect. */
export async function badIdentities(audience: string): Promise<Record<string, string | undefined>> {
  const jwk = readKey('gateway');
  const kid = jwk.kid ?? '';
  const key = await importJWK(jwk, 'EdDSA');
  const foreign = await generateKeyPair('EdDSA', { extractable: true });
  const foreignPublic = await exportJWK(foreign.publicKey);
  const { kind, ...who } = admin;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'gateway', aud: audience, kind, who, iat: now, exp: now + 60 };
  const signed = (change: Partial<Claims> = {}, header: object = {}, by: Parameters<SignJWT['sign']>[0] = key) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'EdDSA', kid, ...header }).sign(by);
  const hmac = (header: object, secret: string | Buffer) => {
    const text = `${part({ alg: 'HS256', ...header })}.${part(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const good = await signed();
  const [head = '', body = '', signature = ''] = good.split('.');
  const [, anonymousBody = ''] = (await signed({ kind: 'anonymous', who: {} })).split('.');
  const runnerKey = readKey('runner');
  const poolKey = readKey('pool');
  const { iat: _iat, exp: _exp, ...timeless } = claims;
  return {
    'no identity': undefined,
    'text that is not a token': 'x',
    'an identity for another audience': await signed({ aud: 'gateway' }),
    'an expired identity': await signed({ iat: now - 120, exp: now - 60 }),
    'an identity without an expiry': await new SignJWT(timeless).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key),
    "a foreign key under the gateway's kid": await signed({}, {}, foreign.privateKey),
    'a foreign key in the header': await signed({}, { jwk: foreignPublic }, foreign.privateKey),
    'alg none': `${part({ alg: 'none', kid })}.${body}.`,
    'alg None': `${part({ alg: 'None', kid })}.${body}.`,
    'no signature': `${head}.${body}.`,
    'a signature of other claims': `${head}.${anonymousBody}.${signature}`,
    'HS256 by the public key': hmac({ kid }, Buffer.from(jwk.x ?? '', 'base64url')),
    'a kid that is the path of a file': await signed({}, { kid: '../../etc/passwd' }),
    'a kid that is the path of an empty file': hmac({ kid: '../../../../dev/null' }, ''),
    'an unknown issuer': await signed({ iss: 'nobody' }),
    'an issuer from the prototype': await signed({ iss: '__proto__' }),
    "the gateway as issuer under another service's key": await signed(
      {},
      { kid: poolKey.kid },
      await importJWK(poolKey, 'EdDSA'),
    ),
    'a runner that claims to be an admin': await signed(
      { iss: 'runner' },
      { kid: runnerKey.kid },
      await importJWK(runnerKey, 'EdDSA'),
    ),
    'a service that issues a lease': await signed(
      { iss: 'pool', kind: 'lease', who: { jobId: randomUUID(), attempt: 1, runner: 'x' } },
      { kid: poolKey.kid },
      await importJWK(poolKey, 'EdDSA'),
    ),
    'a gateway that claims to be a service': await signed({ kind: 'service', who: { name: 'simulation' } }),
    'a caller of an unknown kind': await signed({ kind: 'constructor' }),
  };
}
