import { byColumn, profileFields } from '@husky/contracts/profile-fields';
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
