import { DomainError } from '@husky/runtime/errors';

const maxLength = 254;
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Returns the key by which addresses are compared: nearly every mail server ignores case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/**
 * Returns the trimmed address; throws INVALID_ARGUMENT unless it is an ASCII dot-atom of RFC 5321 with a domain of at least
 * two labels. Quoted local parts, comments and line breaks (header injection) are rejected.
 */
export function checkEmail(text: string): string {
  const email = text.trim();
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).split('.');
  const valid =
    at > 0 &&
    at <= 64 &&
    email.length <= maxLength &&
    local.test(email.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((part) => label.test(part));
  if (valid) return email;
  throw new DomainError('INVALID_ARGUMENT', 'email-invalid', 'Please give a valid e-mail address');
}

export function emailTaken(): DomainError {
  return new DomainError('ALREADY_EXISTS', 'email-taken', 'That e-mail address is already registered');
}
