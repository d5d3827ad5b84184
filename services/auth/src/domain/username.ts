import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';

const pattern = /^[A-Za-z0-9_-]{3,32}$/;
const tombstonePrefix = 'deleted-';
const houseBotNames = new Set(
  ['house', 'random-legal', 'calling-station', 'tight-aggressive', 'pot-odds', 'position-aware', 'pressure'].map(
    usernameKey,
  ),
);

/** Returns the key by which names are compared: case is ignored. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}

/** Returns the hash that name_claims keeps for good, so that a name stays refused although it is not stored. */
export function usernameHash(username: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(usernameKey(username)).digest());
}

/** Whether a text has the form of a name, tombstones included. */
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
  return houseBotNames.has(key) || key.startsWith(tombstonePrefix);
}

/** Returns the name of a deleted account; `long` when the short one is another account's tombstone. */
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
