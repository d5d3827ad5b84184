import { createHash } from 'node:crypto';
import { housePlayers } from '@husky/contracts/house-user';
import { byField, type ProfileField, profileFields } from '@husky/contracts/profile-fields';
import { DomainError } from '@husky/runtime/rpc/errors';

const pattern = /^[A-Za-z0-9_-]{3,32}$/;
const tombstonePrefix = 'deleted-';
/** Folders of services/runner/bots, and the names of their accounts. */
const houseBotNames = new Set(['house', ...[...housePlayers.values()].flatMap((style) => [style, `house-${style}`])]);

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

const lookAlikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', l: 'i' };

/** Returns text in which letters that look alike are equal: upper and lower case, digits for letters, i and l, rn and m. */
function fold(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[0134578l]/g, (found) => lookAlikes[found] ?? found);
  return letters.replaceAll('rn', 'm');
}

const foldWords = (text: string) => text.split(' ').map(fold);

/** Names of the platform and of the people who run it, alone or with additions: `Support`, `the-husky-team`. */
const staff = foldWords(
  'admin admins administrator administrators moderator moderators mod mods sysadmin superuser root system support help helpdesk staff official security husky organizer organizers organiser organisers webmaster postmaster noreply',
).join('|');
const additions = foldWords(
  'the real true our your my super head chief senior global site web server platform holdem poker game tournament event account user bot team desk center centre contact x',
).join('|');
const onlyStaff = new RegExp(`^(?:${staff}|${additions})*(?:${staff})(?:${staff}|${additions})*$`);
/** Between separators, these look like staff in every name: `anna-official`. */
const titles = new Set(foldWords('admin admins administrator administrators moderator moderators official staff'));
/** No ordinary name begins or ends with these: `annaAdmin`. */
const titlesAnywhere = foldWords('admin administrator moderator');

// A digit at the ends of a part is a number or a letter.
const numbers = [/^$/, /^\d+/, /\d+$/, /^\d+|\d+$/g];

/** Whether a name looks like that of the platform or of somebody who runs it. */
export function isStaffName(username: string): boolean {
  return numbers.some((number) => {
    const parts = username.split(/[-_]/).map((part) => fold(part.replace(number, '')));
    const whole = parts.join('');
    return (
      onlyStaff.test(whole) ||
      parts.some((part) => titles.has(part)) ||
      titlesAnywhere.some((title) => whole.startsWith(title) || whole.endsWith(title))
    );
  });
}

export function staffName(): DomainError {
  const message = 'That username is reserved for the people who run this site. Please choose another one';
  return new DomainError('INVALID_ARGUMENT', 'username-reserved', message);
}

/** The profile that a user writes about themselves; null for an empty field. */
export type Profile = Readonly<Record<ProfileField, string | null>>;

// Control characters, line separators and direction overrides: they can break headers and spoof the displayed text.
const forbidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

function checkField(field: ProfileField, text: string): string | null {
  const { label, max, lines } = profileFields[field];
  const value = text.replaceAll('\r\n', '\n').trim();
  if (forbidden.test(lines ? value.replaceAll(/[\n\t]/g, '') : value)) {
    throw new DomainError('INVALID_ARGUMENT', 'profile-invalid', `${label} must not contain control characters`);
  }
  if ([...value].length > max) {
    throw new DomainError('INVALID_ARGUMENT', 'profile-invalid', `${label} has at most ${max} characters`);
  }
  return value === '' ? null : value;
}

/** Returns the given fields, trimmed, empty ones as null; throws INVALID_ARGUMENT for control characters and long texts. */
export function checkProfile(given: { readonly [K in ProfileField]?: string | undefined }): Partial<Profile> {
  const checked = byField((field) => {
    const text = given[field];
    return text === undefined ? undefined : checkField(field, text);
  });
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}
