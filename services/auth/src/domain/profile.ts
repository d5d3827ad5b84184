import { byField, type ProfileField, profileFields } from '@husky/contracts/profile-fields';
import { DomainError } from '@husky/runtime/rpc/errors';

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
