import { createHash, randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { DomainError } from '@husky/runtime/rpc/errors';

const maxLength = 254;
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Returns the address with an internationalised domain in its ASCII form (UTS 46), in which mail servers and `email_key` have it. Other
 * addresses are returned as they are; a domain that has no ASCII form becomes empty.
 */
export function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (/^\p{ASCII}*$/u.test(domain)) return email;
  // domainToASCII would stop at a slash and decode percent signs.
  return email.slice(0, at) + (/[^\P{ASCII}A-Za-z0-9.-]/u.test(domain) ? '' : domainToASCII(domain));
}

/** Returns the key by which addresses are compared: nearly every mail server ignores case. */
export function emailKey(email: string): string {
  return withAsciiDomain(email).toLowerCase();
}

/**
 * Returns the trimmed address with an ASCII domain; throws INVALID_ARGUMENT unless it is a dot-atom of RFC 5321 with a domain of at least
 * two labels. Quoted local parts, comments and line breaks (header injection) are rejected, and so are local parts beyond ASCII: servers
 * without SMTPUTF8 (RFC 6531) do not deliver to them.
 */
export function checkEmail(text: string): string {
  const email = withAsciiDomain(text.trim());
  const at = email.lastIndexOf('@');
  if (at > 0 && /^[^\s@]*[^\s\p{ASCII}][^\s@]*$/u.test(email.slice(0, at))) {
    throw invalid(': before the @ only letters without accents, digits and signs are possible');
  }
  const labels = email.slice(at + 1).split('.');
  if (at < 1 || at > 64 || email.length > maxLength || !local.test(email.slice(0, at))) throw invalid();
  if (labels.length < 2 || !labels.every((part) => label.test(part))) {
    throw invalid(': after the @ it needs a domain such as example.org');
  }
  return email;
}

function invalid(why = ''): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'email-invalid', `Please give a valid e-mail address${why}`);
}

export function emailTaken(): DomainError {
  return new DomainError('ALREADY_EXISTS', 'email-taken', 'That e-mail address is already registered');
}

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
