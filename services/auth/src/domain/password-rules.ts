import { DomainError } from '@husky/runtime/errors';

const minLength = 8;
const maxLength = 128;

/** Refuses a new password by its length, in characters as people count them. */
export function checkPassword(password: string): void {
  const length = [...password].length;
  if (length < minLength) {
    throw new DomainError(
      'INVALID_ARGUMENT',
      'password-too-short',
      `A password has at least ${minLength} characters; this one has ${length}`,
    );
  }
  if (length > maxLength) {
    throw new DomainError(
      'INVALID_ARGUMENT',
      'password-too-long',
      `A password has at most ${maxLength} characters; this one has ${length}`,
    );
  }
}
