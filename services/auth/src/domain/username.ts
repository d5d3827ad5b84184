import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';

const pattern = /^[A-Za-z0-9_-]{3,32}$/;
const tombstonePrefix = 'deleted-';
const houseNames = new Set(
  ['house', 'random-legal', 'calling-station', 'tight-aggressive', 'pot-odds', 'position-aware', 'pressure'].map(
    usernameKey,
  ),
);

/** What a name is compared by: names that differ in case only are the same name. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}

/** What is kept of a name forever: enough to refuse it, nothing to read. */
export function usernameHash(username: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(usernameKey(username)).digest());
}

/** Whether a text can be anybody's name at all, a tombstone included. */
export function isUsername(text: string): boolean {
  return pattern.test(text);
}

export function checkUsername(username: string): string {
  if (isUsername(username)) return username;
  const message = 'A username has 3 to 32 characters: letters, digits, hyphen and underscore';
  throw new DomainError('INVALID_ARGUMENT', 'username-invalid', message);
}

export function isReservedName(username: string): boolean {
  const key = usernameKey(username);
  return houseNames.has(key) || key.startsWith(tombstonePrefix);
}

/** The name of a deleted account; `long` when the short one is already somebody's tombstone. */
export function tombstoneName(userId: string, length: 'short' | 'long' = 'short'): string {
  const hex = userId.replaceAll('-', '');
  return tombstonePrefix + hex.slice(0, length === 'short' ? 8 : 24);
}

export function usernameTaken(): DomainError {
  return new DomainError('ALREADY_EXISTS', 'username-taken', 'That username is already taken');
}

export function userNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'user-not-found', 'User not found');
}
