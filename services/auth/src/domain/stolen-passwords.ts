import { dictionary } from '@zxcvbn-ts/language-common';

const stolen = new Set(dictionary['passwords-common']);

/**
 * Whether a password is among the 49,233 commonest of published breaches, whatever its case and with or without the
 * signs put around it to please a form.
 */
export function isStolen(password: string): boolean {
  const plain = password.toLowerCase();
  const bare = plain.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return stolen.has(plain) || stolen.has(bare);
}
