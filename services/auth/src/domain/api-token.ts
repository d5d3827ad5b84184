import { createHash, createHmac, randomBytes } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';

/** The prefix of every secret, by which scanners of source code recognise leaked ones. */
const prefix = 'husky_';
const secretPattern = /^husky_[A-Za-z0-9_-]{43}$/;

/** What a token may do: read its user's own jobs, logs and files; upload, test and mark bots. */
const scopes = ['read', 'submit'] as const;
export type Scope = (typeof scopes)[number];

export const maxTokens = 20;
const maxNameLength = 60;
const maxDays = 365;
const dayMs = 24 * 3_600_000;

export interface NewApiToken {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expiresAt: Date;
}

/** Returns a new secret of 256 random bits. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Returns the secret of a token whose request may be repeated. It cannot be made from what is stored, which lacks the key. */
export function secretOf(key: string, salt: Uint8Array): string {
  return prefix + createHmac('sha256', salt).update(key).digest('base64url');
}

/** Returns the hash under which a request's key is stored. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Returns the hash under which a secret is stored, or undefined for text that is no secret. A fast hash suffices for 256 random bits. */
export function hashOfSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secretPattern.test(secret)) return undefined;
  return new Uint8Array(createHash('sha256').update(secret).digest());
}

/** Checks the request for a new token. Throws INVALID_ARGUMENT for the first invalid field. */
export function checkNewToken(
  request: { readonly name: string; readonly scopes: readonly string[]; readonly days: number },
  now: Date,
): NewApiToken {
  const name = request.name.trim();
  if (name === '' || [...name].length > maxNameLength || /\p{Cc}/u.test(name)) {
    throw invalid('token-name-invalid', `A token's name has 1 to ${maxNameLength} characters without line breaks`);
  }
  const wrong = request.scopes.find((scope) => !scopes.includes(scope as Scope));
  if (wrong !== undefined || request.scopes.length === 0) {
    throw invalid('token-scopes-invalid', `A token has one or both of the scopes ${scopes.join(', ')}`);
  }
  if (!Number.isInteger(request.days) || request.days < 1 || request.days > maxDays) {
    throw invalid('token-days-invalid', `A token expires after 1 to ${maxDays} days`);
  }
  return {
    name,
    scopes: scopes.filter((scope) => request.scopes.includes(scope)),
    expiresAt: new Date(now.getTime() + request.days * dayMs),
  };
}

function invalid(reason: string, message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', reason, message);
}

/** Returns the error for a secret that cannot be used. */
export function refusedToken(why: 'unknown' | 'revoked' | 'expired'): DomainError {
  const messages = {
    unknown: 'This access token is unknown',
    revoked: 'This access token has been revoked',
    expired: 'This access token has expired',
  };
  const advice = 'make a new one on your account page';
  return new DomainError('UNAUTHENTICATED', `token-${why}`, `${messages[why]}: ${advice}`);
}
