import { DomainError } from '@husky/runtime/errors';

const maxLength = 254;
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Case does not make another mailbox, as nearly every mail server has it. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/**
 * The trimmed address, or INVALID_ARGUMENT: RFC 5321's dot-atom form in ASCII, a domain of at least two labels. Quoted
 * local parts, comments and anything that could end a header line are refused.
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
