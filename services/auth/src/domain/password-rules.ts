import { DomainError } from '@husky/runtime/rpc/errors';
import { isStolen } from './stolen-passwords.ts';

const minLength = 8;
const maxLength = 128;

function refused(reason: string, message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', reason, message);
}

/** Throws INVALID_ARGUMENT unless the password has 8 to 128 characters (code points in NFC). */
export function checkPasswordLength(password: string): void {
  const length = [...password.normalize()].length;
  if (length < minLength) {
    throw refused('password-too-short', `A password has at least ${minLength} characters; this one has ${length}`);
  }
  if (length > maxLength) {
    throw refused('password-too-long', `A password has at most ${maxLength} characters; this one has ${length}`);
  }
}

/** Throws INVALID_ARGUMENT for a password of wrong length or from a list of leaked passwords. */
export function checkPassword(password: string): void {
  checkPasswordLength(password);
  if (isStolen(password.normalize())) {
    throw refused('password-stolen', 'This password is in lists of stolen passwords. Choose another one.');
  }
}
