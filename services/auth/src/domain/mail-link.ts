import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';

/** The token of a mailed link, and the hash of it that is stored. */
export interface LinkToken {
  readonly token: string;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
}

export function newLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: linkTokenHash(token) };
}

export function linkTokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

export const verificationHours = 24;
export const resetHours = 1;
export const emailChangeHours = 24;
/** Minimum time between two mails of a kind to one account. */
export const resendMs = 60_000;

/** Returns RESOURCE_EXHAUSTED for a mail requested too early; `before` names the request that must wait. */
export function mailTooSoon(before: string, sentAt: Date, now: Date): DomainError {
  const seconds = Math.max(1, Math.ceil((sentAt.getTime() + resendMs - now.getTime()) / 1000));
  const message = `Please wait ${seconds}s before ${before}`;
  return new DomainError('RESOURCE_EXHAUSTED', 'mail-too-soon', message, { retryAfterS: seconds });
}

/** Returns the error for a link that cannot be used; `what` names the kind of link. */
export function linkRefusal(why: 'unknown' | 'used' | 'expired', what: string): DomainError {
  if (why === 'unknown') return new DomainError('NOT_FOUND', 'link-unknown', `This ${what} link is not valid`);
  if (why === 'used') {
    return new DomainError('FAILED_PRECONDITION', 'link-used', `This ${what} link has already been used`);
  }
  const message = `This ${what} link has expired. Please ask for a new one`;
  return new DomainError('FAILED_PRECONDITION', 'link-expired', message);
}
