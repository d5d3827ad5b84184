import { domainToUnicode } from 'node:url';
import { byColumn, byField, type ProfileColumn, type ProfileField } from '@husky/contracts/profile-fields';
import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import type { SubmissionSummary__Output } from '@husky/contracts/types/submission/v1/SubmissionSummary';

export function presentDirectoryEntry(user: User__Output) {
  return {
    username: user.username,
    ...byColumn((field) => user[field] || null),
  };
}

/** Returns the fields of a profile in a body as auth takes them; those for which `read` returns undefined are left out. */
export function profileOf(
  body: { readonly [Column in ProfileColumn]?: string | null | undefined },
  read: (text: string | null | undefined) => string | undefined,
): { [Field in ProfileField]?: string } {
  const fields = Object.entries(byField((_field, column) => read(body[column])));
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Presents an address. Its domain is in ASCII, as mail servers have it, and in Unicode where people read it. */
export function presentEmail(email: string) {
  const at = email.lastIndexOf('@') + 1;
  const shown = email.slice(0, at) + domainToUnicode(email.slice(at));
  return { email, ...(shown.toLowerCase() === email.toLowerCase() ? {} : { email_unicode: shown }) };
}

/** Presents a user. `email` is present only if auth returns it to this caller. */
export function presentProfile(user: User__Output) {
  return {
    ...presentDirectoryEntry(user),
    ...(user.email ? presentEmail(user.email) : {}),
    admin: user.admin,
    is_verified: user.isVerified,
  };
}

export function presentSummary({ submissionCount, lastCreatedAt }: SubmissionSummary__Output) {
  return { count: submissionCount, last_created_at: lastCreatedAt || null };
}
