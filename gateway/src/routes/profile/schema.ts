import { domainToUnicode } from 'node:url';
import {
  byColumn,
  byField,
  type ProfileColumn,
  type ProfileField,
  profileFields,
} from '@husky/contracts/profile-fields';
import type { User__Output } from '@husky/contracts/types/auth/v1/User';
import type { SubmissionSummary__Output } from '@husky/contracts/types/submission/v1/SubmissionSummary';
import { z } from 'zod';
import { text, time } from '../../http/schema.ts';
import { entry } from '../leaderboard/schema.ts';

export const emailUnicode = z.string().optional().describe('the address with its domain in Unicode, if that differs');
export const profile = z
  .object({
    username: z.string(),
    email: z.string().optional().describe('only to the owner and admins'),
    email_unicode: emailUnicode,
    ...byColumn(() => z.string().nullable()),
    admin: z.boolean(),
    is_verified: z.boolean(),
  })
  .meta({ id: 'Profile' });
const submissions = z
  .object({ count: z.number().int(), last_created_at: time.nullable() })
  .describe('submissions kept and when the newest was uploaded; only to the owner and admins');
export const profileResponse = z.object({
  profile,
  leaderboard_entries: z.array(entry).describe('the best 1,000; /leaderboard/user/{username} pages them all'),
  leaderboard_entries_count: z.number().int(),
  submissions: submissions.optional(),
});
export const profileBody = byColumn((field) => text(profileFields[field].max).nullish());
export const updateBody = z.strictObject(profileBody);
export const updateResponse = z.object({ profile });
export const directoryEntry = z
  .object({
    username: z.string(),
    ...byColumn(() => z.string().nullable()),
  })
  .meta({ id: 'DirectoryEntry' });
export const directoryPage = z.object({
  users: z.array(directoryEntry),
  total: z.number().int(),
  page: z.number().int(),
  total_pages: z.number().int(),
});

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
