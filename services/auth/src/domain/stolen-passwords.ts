import { dictionary } from '@zxcvbn-ts/language-common';

const stolen = new Set(dictionary['passwords-common']);

/** Whether a password is among the 49,233 most common leaked ones, ignoring case and punctuation at both ends. */
export function isStolen(password: string): boolean {
  const plain = password.toLowerCase();
  const bare = plain.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return stolen.has(plain) || stolen.has(bare);
}
