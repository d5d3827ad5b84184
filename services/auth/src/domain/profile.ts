import { DomainError } from '@husky/runtime/errors';

/** The profile that a user writes about themselves; null for an empty field. */
export interface Profile {
  readonly name: string | null;
  readonly github: string | null;
  readonly discordUsername: string | null;
  readonly about: string | null;
}

const bounds = {
  name: { label: 'Name', max: 80, lines: false },
  github: { label: 'GitHub', max: 80, lines: false },
  discordUsername: { label: 'Discord username', max: 80, lines: false },
  about: { label: 'About', max: 1000, lines: true },
} as const satisfies Record<keyof Profile, { label: string; max: number; lines: boolean }>;

// Control characters, line separators and direction overrides: they can break headers and spoof the displayed text.
const forbidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

function checkField(field: keyof Profile, text: string): string | null {
  const { label, max, lines } = bounds[field];
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
export function checkProfile(given: { readonly [K in keyof Profile]?: string | undefined }): Partial<Profile> {
  const fields = (Object.keys(bounds) as (keyof Profile)[]).filter((field) => given[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, checkField(field, given[field] ?? '')]));
}
