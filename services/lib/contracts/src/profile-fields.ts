import type { RegisterRequest } from '../types/husky/auth/v1/RegisterRequest.ts';
import type { UpdateProfileRequest } from '../types/husky/auth/v1/UpdateProfileRequest.ts';
import type { User__Output } from '../types/husky/auth/v1/User.ts';

/**
 * The fields of a profile, which users write about themselves: label in errors, most characters, whether lines may be broken. The
 * only list: columns, checks, presentation, export and deletion derive from it.
 */
export const profileFields = {
  name: { label: 'Name', max: 80, lines: false },
  github: { label: 'GitHub', max: 80, lines: false },
  discordUsername: { label: 'Discord username', max: 80, lines: false },
  about: { label: 'About', max: 1000, lines: true },
} as const satisfies Record<
  Exclude<keyof UpdateProfileRequest, `_${string}`>,
  { label: string; max: number; lines: boolean }
>;

export type ProfileField = keyof typeof profileFields & keyof RegisterRequest & keyof User__Output;

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** Name of the field in SQL and JSON. */
export type ProfileColumn = SnakeCase<ProfileField>;

export const profileColumns = (Object.keys(profileFields) as ProfileField[]).map((field) => ({
  field,
  column: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ProfileColumn,
}));

/** Makes an object with a value for each field, by the field's name. */
export function byField<Value>(read: (field: ProfileField, column: ProfileColumn) => Value) {
  return Object.fromEntries(profileColumns.map(({ field, column }) => [field, read(field, column)])) as Record<
    ProfileField,
    Value
  >;
}

/** Makes an object with a value for each field, by the name in SQL and JSON. */
export function byColumn<Value>(read: (field: ProfileField, column: ProfileColumn) => Value) {
  return Object.fromEntries(profileColumns.map(({ field, column }) => [column, read(field, column)])) as Record<
    ProfileColumn,
    Value
  >;
}
