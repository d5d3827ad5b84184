import { createHmac } from 'node:crypto';
import { metrics } from '@opentelemetry/api';
import { createLocalJWKSet, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { ExpiringCache } from '../process/expiring-cache.ts';
import { watchedFile } from '../process/watched-file.ts';
import type { Caller } from './caller.ts';
import { DomainError } from './errors.ts';

/** Reason of a refusal because the identity's signature, audience or expiry is not accepted. */
export const badIdentity = 'bad-identity';
/** Lifetime of a signed identity in seconds. */
export const identitySeconds = 60;
const maxCached = 2000;

// Kinds of callers that each issuer may assert: the gateway users, simulation leases, every service itself.
const mayAssert: Record<string, readonly Caller['kind'][]> = {
  gateway: ['user', 'anonymous'],
  simulation: ['service', 'lease'],
  auth: ['service'],
  submission: ['service'],
  'live-data': ['service'],
  leaderboard: ['service'],
  pool: ['service'],
  runner: ['runner'],
};

export interface IdentitySigner {
  readonly issuer: string;
  /** Signs a token that identifies the caller to one or more audiences. One with the default lifetime is cached for half of it. */
  sign(audience: string | readonly string[], caller: Caller, seconds?: number): Promise<string>;
  /** Returns a secret for another purpose, the same in all processes with this key. */
  deriveSecret(purpose: string): Buffer;
}

export interface IdentityVerifier {
  /**
   * Returns the caller; throws UNAUTHENTICATED with the reason. Checks a token's signature once: the result is cached until the
   * token expires, is not used for a minute, or the trust file changes.
   */
  verify(token: string): Promise<Caller>;
}

interface KeyFile {
  issuer: string;
  key: JWK;
}
interface TrustFile {
  issuers: Record<string, JWK[]>;
}

/** Creates a signer from a key file, which is read again when it changes. `now`: ms since the epoch. Throws when the file is unusable. */
export function createSigner(keyFile: string, now: () => number = Date.now): IdentitySigner {
  const loads = metrics.getMeter('husky.identity').createCounter('husky.identity.key.loads', {
    description: 'Reads of a new identity key file; a key is in use from then on',
  });
  const current = watchedFile(keyFile, 'the identity key', (text) => {
    const { issuer, key } = JSON.parse(text) as KeyFile;
    if (!issuer || key?.d === undefined) throw new Error('it has no issuer or no private key');
    const cache = new ExpiringCache<{ readonly token: string; readonly signedMs: number }>({
      max: maxCached,
      ttl: (identitySeconds * 1000) / 2,
    });
    loads.add(1);
    return { issuer, kid: key.kid ?? '', secret: key.d, key: importJWK(key, 'EdDSA'), cache };
  });
  return {
    issuer: current().issuer,
    deriveSecret: (purpose) => createHmac('sha256', current().secret).update(purpose).digest(),
    async sign(audience, caller, seconds = identitySeconds) {
      const { issuer, kid, key, cache } = current();
      const cacheKey = JSON.stringify([audience, caller, seconds]);
      const hit = cache.get(cacheKey);
      const signedMs = now();
      const ageMs = hit === undefined ? Infinity : signedMs - hit.signedMs;
      // The cache expires entries by the monotonic clock. Any other age means that the clock of `now` was or is wrong.
      if (hit !== undefined && ageMs >= 0 && ageMs <= (seconds * 1000) / 2) return hit.token;
      const { kind, ...claims } = caller;
      const token = await new SignJWT({ kind, who: claims })
        .setProtectedHeader({ alg: 'EdDSA', kid })
        .setIssuer(issuer)
        .setAudience(typeof audience === 'string' ? audience : [...audience])
        .setIssuedAt(new Date(signedMs))
        .setExpirationTime(new Date(signedMs + seconds * 1000))
        .sign(await key);
      // A token of another lifetime, a lease's, is signed once.
      if (seconds === identitySeconds) cache.set(cacheKey, { token, signedMs });
      return token;
    },
  };
}

/** Creates a verifier of tokens for one audience from a trust file, which is read again when it changes. `now`: ms since the epoch. */
export function createVerifier(trustFile: string, audience: string, now: () => number = Date.now): IdentityVerifier {
  const current = watchedFile(trustFile, 'the trust file', (text) => {
    const { issuers } = JSON.parse(text) as TrustFile;
    return {
      keysOf: new Map(Object.entries(issuers).map(([issuer, keys]) => [issuer, createLocalJWKSet({ keys })])),
      verified: new ExpiringCache<{ readonly caller: Caller; readonly expiresS: number }>({
        max: maxCached,
        ttl: identitySeconds * 1000,
        updateAgeOnGet: true,
      }),
    };
  });
  return {
    async verify(token) {
      try {
        const { keysOf, verified } = current();
        const known = verified.get(token);
        if (known !== undefined && now() < known.expiresS * 1000) return known.caller;
        const issuer = unverifiedIssuer(token);
        const keys = keysOf.get(issuer);
        if (!keys) throw new Error(`issuer ${JSON.stringify(issuer)} is not trusted`);
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ['EdDSA'],
          clockTolerance: 5,
          currentDate: new Date(now()),
          requiredClaims: ['exp', 'iat'],
        });
        const caller = callerOf(issuer, payload);
        verified.set(token, { caller, expiresS: payload.exp ?? 0 });
        return caller;
      } catch (error) {
        const why = error instanceof Error ? error.message : 'invalid';
        throw new DomainError('UNAUTHENTICATED', badIdentity, `The caller's identity is not accepted: ${why}`);
      }
    },
  };
}

function unverifiedIssuer(token: string): string {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload;
  return String(payload.iss);
}

function callerOf(issuer: string, payload: JWTPayload): Caller {
  const kind = payload.kind as Caller['kind'];
  if (!mayAssert[issuer]?.includes(kind)) throw new Error(`${issuer} may not speak for a caller of kind ${kind}`);
  if (kind === 'service') return { kind, name: issuer };
  return { kind, ...(payload.who as object) } as Caller;
}
